# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""A Python extension module written with nanobind, in split mode."""

load("@bazel_skylib//rules:copy_file.bzl", "copy_file")
load("@rules_python//python:defs.bzl", "py_library")
load(":extension_binary.bzl", "checked_import_root", "extension_binary")
load(":nanobind_stub.bzl", "nanobind_stub")

def nanobind_extension(
        name,
        srcs,
        deps = [],
        module = None,
        copts = [],
        linkopts = [],
        local_defines = [],
        py_deps = [],
        stub_patterns = None,
        visibility = None,
        testonly = None,
        tags = None):
    """A `py_library` of one extension module and its type stub.

    The library is built for CPython's stable ABI of 3.10, so one file serves every
    later CPython, and it needs the Python package `nanobind-backend` at run time,
    which the `py_library` depends on. `<name>.pyi` is written by importing the
    module after it is built, so a module whose bindings do not load fails the build.

    Beside `name` there are `<name>.abi3.so` (`<name>.pyd` on Windows) and
    `<name>.pyi`.

    Args:
        name: Name of the target; the last part of the module's name.
        srcs: C++ sources; one of them has `NB_MODULE(<name>, m)`.
        deps: C++ libraries. `//bazel:nanobind` is among them already.
        module: Dotted name of the module, `<name>` by default. The folders that end
            the package's path must be its parents: `a.b._c` in `.../a/b`.
        copts: Options of the compiler.
        linkopts: Options of the linker.
        local_defines: Macros, for `srcs` alone.
        py_deps: Python libraries that users of the module need.
        stub_patterns: A file of patterns that changes the stub, as described in
            nanobind's documentation ("Pattern files").
        visibility: Of the `py_library`, the file and the stub.
        testonly: As everywhere.
        tags: As everywhere.
    """
    module = module or name
    root = checked_import_root(name, module, native.package_name())
    common = {"tags": tags, "testonly": testonly, "visibility": visibility}
    extension_binary(
        name = name + ".abi3.so",
        srcs = srcs,
        copts = copts,
        linkopts = linkopts,
        local_defines = local_defines,
        deps = deps + [Label("//bazel:nanobind")],
        **common
    )

    # CPython on Windows knows no `.abi3` suffix.
    copy_file(
        name = name + "_pyd",
        src = name + ".abi3.so",
        out = name + ".pyd",
        tags = (tags or []) + ["manual"],
        testonly = testonly,
        visibility = ["//visibility:private"],
    )
    nanobind_stub(
        name = name + "_stub",
        extension = name + ".abi3.so",
        module = module,
        patterns = stub_patterns,
        stub = name + ".pyi",
        **common
    )
    py_library(
        name = name,
        data = [name + ".pyi"] + select({
            Label("@platforms//os:windows"): [name + ".pyd"],
            "//conditions:default": [name + ".abi3.so"],
        }),
        imports = [root],
        deps = py_deps + [Label("@pypi//:nanobind_backend")],
        **common
    )
