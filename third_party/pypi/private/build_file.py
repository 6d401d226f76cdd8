# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Writes the BUILD file of an unpacked Python package, or makes room for ours."""

from __future__ import annotations

from email.parser import HeaderParser
from pathlib import Path

from lock_file import Requirement, normalise

# pip carries the reference implementation of requirements and markers.
from pip._vendor.packaging.requirements import Requirement as Specifier

_TEMPLATE = '''\
load("@rules_python//python:defs.bzl", "py_library")

package(default_visibility = ["//visibility:public"])

py_library(
    name = "{name}",
    srcs = glob(["site-packages/**/*.py"], allow_empty = True),
    data = glob(
        ["site-packages/**/*", "bin/**/*"],
        allow_empty = True,
        exclude = ["**/*.py", "**/*.pyc", "**/* *"],
    ),
    imports = ["site-packages"],
    deps = {deps},
)

filegroup(
    name = "files",
    srcs = glob(["**/*"], exclude = ["**/* *"]),
)

exports_files(glob(["bin/*", "site-packages/**/*"], allow_empty = True, exclude = ["**/* *"]))
'''


def dependencies(metadata: str, locked_names: set[str]) -> list[str]:
    """The locked distributions that a distribution needs on this machine."""
    needed = set()
    for line in HeaderParser().parsestr(metadata).get_all("Requires-Dist") or []:
        specifier = Specifier(line)
        if specifier.marker is None or specifier.marker.evaluate({"extra": ""}):
            needed.add(normalise(specifier.name))
    return sorted(needed & locked_names)


def drop(output: Path) -> None:
    """Removes the BUILD files below `output`, so that it is one Bazel package."""
    for name in ("BUILD", "BUILD.bazel"):
        for path in output.rglob(name):
            if path.is_file():
                path.unlink()


def write(output: Path, hub: str, lock: list[Requirement], pins: list[Requirement]) -> None:
    """Writes `output/BUILD.bazel` for the package that `pins` pin."""
    name = pins[0].name
    locked_names = {requirement.name for requirement in lock}
    needed: set[str] = set()
    for metadata in sorted(output.glob("site-packages/*.dist-info/METADATA")):
        needed |= set(dependencies(metadata.read_text(encoding="utf-8"), locked_names))
    needed.discard(name)
    labels = [f"@{hub}//:{dependency.replace('-', '_')}" for dependency in sorted(needed)]
    text = _TEMPLATE.format(name=name.replace("-", "_"), deps=repr(labels).replace("'", '"'))
    (output / "BUILD.bazel").write_text(text, encoding="utf-8")
