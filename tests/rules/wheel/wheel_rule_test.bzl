# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What the analysis of warpyard_wheel refuses."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//bazel:wheel.bzl", "warpyard_wheel")

def _outside_test_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, "tests/rules/wheel/plain.py is not in tests/rules/nanobind/")
    return analysistest.end(env)

_outside_test = analysistest.make(_outside_test_impl, expect_failure = True)

def wheel_rule_test_suite(name):
    """All tests of this file.

    Args:
        name: Name of the suite.
    """
    warpyard_wheel(
        name = "outside",
        testonly = True,
        abi_tag = "none",
        distribution = "outside",
        python_requires = ">=3.10",
        python_tag = "py3",
        root = "tests/rules/nanobind",
        summary = "A library that is not below the root.",
        tags = ["manual"],
        version = "1",
        deps = [":plain"],
    )
    _outside_test(
        name = "outside_test",
        target_under_test = ":outside",
    )
    native.test_suite(
        name = name,
        tests = [":outside_test"],
    )
