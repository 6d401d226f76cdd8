# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What the analysis of the proto rules refuses."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//bazel:proto.bzl", "cc_proto_library")

def _other_package_test_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, "is in another package; generate its code there")
    return analysistest.end(env)

_other_package_test = analysistest.make(_other_package_test_impl, expect_failure = True)

def proto_rules_test_suite(name):
    """All tests of this file.

    Args:
        name: Name of the suite.
    """
    cc_proto_library(
        name = "other_package",
        proto = "@protobuf//:timestamp_proto",
        tags = ["manual"],
    )
    _other_package_test(
        name = "other_package_test",
        target_under_test = ":other_package_gen",
    )
    native.test_suite(
        name = name,
        tests = [":other_package_test"],
    )
