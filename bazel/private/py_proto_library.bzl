# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Python code from a `proto_library`."""

load("@rules_python//python:defs.bzl", "py_library")
load(":proto_sources.bzl", "proto_sources")

def py_proto_library(name, proto, deps = [], **kwargs):
    """A `py_library` of the messages of one `proto_library`, with type stubs.

    Args:
        name: Name of the target. Import `<package>.<file>_pb2`.
        proto: The `proto_library`, in the same package.
        deps: `py_proto_library` targets of the protos that it imports.
        **kwargs: Passed to `py_library` (visibility, testonly, tags).
    """
    common = {k: v for k, v in kwargs.items() if k in ("testonly", "tags")}
    proto_sources(
        name = name + "_gen",
        plugins = ["python"],
        proto = proto,
        suffixes = ["_pb2.py"],
        visibility = ["//visibility:private"],
        **common
    )
    proto_sources(
        name = name + "_pyi",
        plugins = ["pyi"],
        proto = proto,
        suffixes = ["_pb2.pyi"],
        visibility = ["//visibility:private"],
        **common
    )
    py_library(
        name = name,
        srcs = [name + "_gen"],
        data = [name + "_pyi"],
        deps = deps + [Label("@pypi//:protobuf")],
        **kwargs
    )
