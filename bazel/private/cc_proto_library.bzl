# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""C++ code from a `proto_library`."""

load("@rules_cc//cc:defs.bzl", "cc_library")
load(":proto_sources.bzl", "proto_sources")

def cc_proto_library(name, proto, deps = [], **kwargs):
    """A `cc_library` of the messages of one `proto_library`.

    Args:
        name: Name of the target. Include `<package>/<file>.pb.h`.
        proto: The `proto_library`, in the same package.
        deps: `cc_proto_library` targets of the protos that it imports.
        **kwargs: Passed to `cc_library` (visibility, testonly, tags).
    """
    common = {k: v for k, v in kwargs.items() if k in ("testonly", "tags")}
    proto_sources(
        name = name + "_gen",
        plugins = ["cpp"],
        proto = proto,
        suffixes = [".pb.h", ".pb.cc"],
        visibility = ["//visibility:private"],
        **common
    )
    cc_library(
        name = name,
        srcs = [name + "_gen"],
        hdrs = [name + "_gen"],
        copts = ["-w"],
        deps = deps + [Label("@protobuf")],
        **kwargs
    )
