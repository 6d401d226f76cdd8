# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The shared library of a Python extension module, whatever it is written with."""

load("@rules_cc//cc:defs.bzl", "cc_binary")

def import_root(module, package):
    """The folder that `import` starts from, relative to the module's own package.

    Args:
        module: Dotted name of the module.
        package: The Bazel package that the module is in.

    Returns:
        A relative path for `imports`; None where the package's folders do not end
        in the module's parents.
    """
    parents = module.split(".")[:-1]
    folders = package.split("/") if package else []
    if len(parents) > len(folders) or folders[len(folders) - len(parents):] != parents:
        return None
    return "/".join([".."] * len(parents)) or "."

def checked_import_root(name, module, package):
    """As `import_root`, and the macro's caller learns what is wrong.

    Args:
        name: Name of the target: the last part of the module's name.
        module: Dotted name of the module.
        package: The Bazel package that the module is in.

    Returns:
        A relative path for `imports`.
    """
    if module.split(".")[-1] != name:
        fail("{}: the last part of the module's name, {}, must be the target's name".format(name, module))
    root = import_root(module, package)
    if root == None:
        fail("{}: the module {} must be in a folder that ends in {}, not in {}".format(
            name,
            module,
            "/".join(module.split(".")[:-1]),
            package or "the workspace root",
        ))
    return root

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
            Label("@platforms//os:windows"): [],
            "//conditions:default": [
                "-fexceptions",
                "-fvisibility=hidden",
            ],
        }) + copts,
        linkopts = select({
            Label("@platforms//os:macos"): [
                "-undefined",
                "dynamic_lookup",
                "-Wl,-exported_symbol,_PyInit_*",
            ],
            Label("@platforms//os:windows"): [],
            "//conditions:default": ["-Wl,--version-script=$(location {})".format(exports)],
        }) + select({
            Label("//bazel/private:optimised_elf"): ["-Wl,--strip-all"],
            "//conditions:default": [],
        }) + linkopts,
        linkshared = True,
        **kwargs
    )
