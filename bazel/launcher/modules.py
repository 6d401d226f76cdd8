# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Serves Bazel's modules from the prefix instead of a registry.

Debian packages the rules that Bazel itself and this workspace ask for; GoogleTest comes from
Debian's sources with our BUILD file laid over; the modules that are only named, never used, are
empty. With all of them overridden, Bazel asks no registry.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from bazel.launcher.errors import LauncherError
from bazel.launcher.relocation import Prefix

# Named by the module files of Bazel's built-in tools and of Debian's rules. Nothing here uses them.
_EMPTY = ("apple_support", "buildozer", "protobuf", "zlib")

# Without one of these no build works.
_NEEDED = frozenset(
    "bazel_features bazel_skylib googletest platforms rules_cc rules_java rules_license "
    "rules_proto rules_python".split()
)

_MODULE_NAME = re.compile(r"^module\(\s*name\s*=\s*\"([^\"]+)\"", re.MULTILINE)

_GOOGLETEST_SOURCES = "usr/src/googletest"


def packaged(prefix: Prefix) -> dict[str, Path]:
    """Returns the modules that Debian's packages hold: folder by name."""
    modules = {}
    for file in sorted(prefix.at.glob("usr/share/bazel/*/*/MODULE.bazel")):
        match = _MODULE_NAME.search(file.read_text(encoding="utf-8"))
        if match and "embedded_tools" not in file.parts:
            modules[match[1]] = file.parent
    return modules


def lay_googletest(prefix: Prefix, folder: Path, overlay: Path) -> Path:
    """Makes a module of Debian's GoogleTest sources and our BUILD file, and returns its folder.

    Args:
        prefix: the folder that the package was unpacked into.
        folder: where the module goes.
        overlay: folder of the files to lay over; what ends in .overlay loses that ending.
    """
    sources = prefix.at / _GOOGLETEST_SOURCES
    if not (sources / "googletest/src/gtest.cc").is_file():
        raise LauncherError(f"Debian's googletest package has no sources in {_GOOGLETEST_SOURCES}")
    module = folder / "googletest"
    shutil.move(sources, module)
    files = sorted(overlay.glob("*.overlay"))
    if not files:
        raise LauncherError(f"no *.overlay files in {overlay}")
    for file in files:
        shutil.copyfile(file, module / file.name.removesuffix(".overlay"))
    return module


def write_empty(folder: Path) -> dict[str, Path]:
    """Writes the empty modules and returns their folders by name."""
    modules = {}
    for name in _EMPTY:
        modules[name] = folder / name
        modules[name].mkdir(parents=True)
        (modules[name] / "MODULE.bazel").write_text(f'module(name = "{name}")\n', encoding="utf-8")
        (modules[name] / "BUILD.bazel").write_text("", encoding="utf-8")
    return modules


def bazelrc(prefix: Prefix, modules: dict[str, Path]) -> str:
    """Returns the options that make Bazel take the modules from where they are.

    Raises:
        LauncherError: a module that every build needs is not among them.
    """
    missing = sorted(_NEEDED - modules.keys())
    if missing:
        raise LauncherError(f"Debian's packages no longer hold the modules {', '.join(missing)}")
    return "".join(
        f"common --override_module={name}={prefix.moved(path)}\n"
        for name, path in sorted(modules.items())
    )
