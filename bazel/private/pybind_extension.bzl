# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""A Python extension module written with pybind11."""

load("@host_python//:version.bzl", "EXTENSION_SUFFIX")
load("@rules_python//python:defs.bzl", "py_library")
load(":extension_binary.bzl", "checked_import_root", "extension_binary")

def pybind_extension(
        name,
        srcs,
        deps = [],
        module = None,
        copts = [],
        linkopts = [],
        local_defines = [],
        py_deps = [],
        visibility = None,
        testonly = None,
        tags = None):
    """A `py_library` of one extension module, for the Python that builds it.

    pybind11 uses more than the stable ABI, so the file carries the version of its
    Python in its name and no other version imports it. The file is the target
    `<name>.so`'s output.

    Args:
        name: Name of the target; the last part of the module's name.
        srcs: C++ sources; one of them has `PYBIND11_MODULE(<name>, m)`.
        deps: C++ libraries. pybind11's headers are among them already.
        module: Dotted name of the module, `<name>` by default. The folders that end
            the package's path must be its parents: `a.b._c` in `.../a/b`.
        copts: Options of the compiler.
        linkopts: Options of the linker.
        local_defines: Macros, for `srcs` alone.
        py_deps: Python libraries that users of the module need.
        visibility: Of the `py_library` and the file.
        testonly: As everywhere.
        tags: As everywhere.
    """
    root = checked_import_root(name, module or name, native.package_name())
    common = {"tags": tags, "testonly": testonly, "visibility": visibility}
    extension_binary(
        name = name + EXTENSION_SUFFIX,
        srcs = srcs,
        copts = copts,
        linkopts = linkopts,
        local_defines = local_defines,
        deps = deps + [Label("@pybind11//:headers")],
        **common
    )
    native.alias(
        name = name + ".so",
        actual = name + EXTENSION_SUFFIX,
        **common
    )
    py_library(
        name = name,
        data = [name + EXTENSION_SUFFIX],
        imports = [root],
        deps = py_deps,
        **common
    )
