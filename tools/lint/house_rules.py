# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What no formatter checks: licence lines, and words that must not be written."""

from __future__ import annotations

import re
from pathlib import Path

LICENCE = "Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0"

# Split up, so that this file does not hold what it forbids. Dependencies are
# fetched by clients that know their registry; an address here would defeat a
# mirror.
_REGISTRIES = [
    "pypi" + ".org",
    "files.python" + "hosted.org",
    "registry.npm" + "js.org",
    "deb.deb" + "ian.org",
    "snapshot.deb" + "ian.org",
    "bcr.bazel" + ".build",
    "archive.ubun" + "tu.com",
    "ports.ubun" + "tu.com",
]
_REGISTRY = re.compile("|".join(re.escape(name) for name in _REGISTRIES))
_HOME = re.compile(r"(?<![\w.])/(?:root|home/(?!user/)[a-z]\w*|Users/\w+)/")

_LICENSED = {".h", ".cc", ".cpp", ".cu", ".cuh", ".py", ".proto", ".textproto", ".sh"}


def check(path: Path, text: str) -> list[str]:
    """What is wrong in the file at `path`, one line each."""
    problems = []
    generated = "testdata" in path.parts
    if path.suffix in _LICENSED and not generated:
        if LICENCE not in "\n".join(text.splitlines()[:4]):
            problems.append(f"{path}:1: the first lines lack '{LICENCE}'")
    for number, line in enumerate(text.splitlines(), start=1):
        if match := _REGISTRY.search(line):
            problems.append(f"{path}:{number}: names the package registry {match[0]}")
        if (match := _HOME.search(line)) and not generated:
            problems.append(f"{path}:{number}: names a folder of one machine: {match[0]}")
    if text and not text.endswith("\n") and not generated:
        problems.append(f"{path}: the last line has no end")
    return problems


def check_all(root: Path, paths: list[Path]) -> list[str]:
    """The problems of all files that are text."""
    problems = []
    for path in paths:
        try:
            text = (root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        problems += check(path, text)
    return problems
