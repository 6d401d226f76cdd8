# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The shared library of a Python extension module, whatever it is written with."""

load("@rules_cc//cc:defs.bzl", "cc_binary")

def python_root(name, module, package):
    """The folder that `import` starts from, relative to a module's own package.

    Args:
        name: Name of the target, for the message.
        module: Dotted name of the module.
        package: The Bazel package that the module is in.

    Returns:
        A relative path for `imports`.
    """
    parents = module.split(".")[:-1]
    folder = package.split("/") if package else []
    if folder[len(folder) - len(parents):] != parents:
        fail("{}: module {} must be in a folder that ends in /{}, not in {}".format(
            name,
            module,
            "/".join(parents),
            package or "the workspace root",
        ))
    return "/".join([".."] * len(parents)) or "."

def extension_binary(name, copts = [], linkopts = [], **kwargs):
    """A shared library that exports its `PyInit_*` function and nothing else.

    What is linked into it stays its own: two extensions in one process, each with
    a copy of the same C++ library, never see each other's.

    Args:
        name: Name of the target and of the file.
        copts: Options of the compiler.
        linkopts: Options of the linker.
        **kwargs: Passed to `cc_binary`.
    """
    exports = Label("//bazel/private:extension_exports.lds")
    cc_binary(
        name = name,
        additional_linker_inputs = [exports],
        copts = select({
            "@platforms//os:windows": [],
            "//conditions:default": [
                "-fexceptions",
                "-fvisibility=hidden",
            ],
        }) + copts,
        linkopts = select({
            "@platforms//os:macos": [
                "-undefined",
                "dynamic_lookup",
                "-Wl,-exported_symbol,_PyInit_*",
            ],
            "@platforms//os:windows": [],
            "//conditions:default": ["-Wl,--version-script=$(location {})".format(exports)],
        }) + select({
            Label("//bazel/private:optimised_elf"): ["-Wl,--strip-all"],
            "//conditions:default": [],
        }) + linkopts,
        linkshared = True,
        **kwargs
    )
