# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Writes the BUILD file of an unpacked Python package, or makes room for ours."""

from __future__ import annotations

import json
from email.parser import HeaderParser
from pathlib import Path

from lock_file import Requirement, normalise


class MetadataError(Exception):
    """A distribution whose metadata cannot be read."""


_TEMPLATE = """\
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
"""


def dependencies(metadata: str, locked_names: set[str]) -> list[str]:
    """The locked distributions that a distribution needs on this machine.

    Raises MetadataError for a requirement that cannot be read, ImportError without pip.
    """
    # pip carries the reference implementation of requirements and markers. Imported here, so
    # that a Python without pip gets as far as the message that says so.
    from pip._vendor.packaging.requirements import InvalidRequirement
    from pip._vendor.packaging.requirements import Requirement as Specifier

    needed = set()
    for line in HeaderParser().parsestr(metadata).get_all("Requires-Dist") or []:
        try:
            specifier = Specifier(line)
        except InvalidRequirement as error:
            raise MetadataError(f"cannot read the requirement {line!r}: {error}") from error
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
    """Writes `output/BUILD.bazel` for the package that `pins` pin.

    BUILD files that the wheel brings would cut its files off: they are removed.
    """
    drop(output)
    name = pins[0].name
    locked_names = {requirement.name for requirement in lock}
    needed: set[str] = set()
    for metadata in sorted(output.glob("site-packages/*.dist-info/METADATA")):
        text = metadata.read_text(encoding="utf-8", errors="replace")
        needed |= set(dependencies(text, locked_names))
    needed.discard(name)
    labels = [f"@{hub}//:{dependency.replace('-', '_')}" for dependency in sorted(needed)]
    build = _TEMPLATE.format(name=name.replace("-", "_"), deps=json.dumps(labels))
    (output / "BUILD.bazel").write_text(build, encoding="utf-8")
