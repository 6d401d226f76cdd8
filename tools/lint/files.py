# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Which files are checked, and by what."""

from __future__ import annotations

import subprocess
from pathlib import Path

CXX = {".h", ".cc", ".cpp", ".cu", ".cuh"}
PYTHON = {".py", ".pyi"}
STARLARK = {".bzl"}
_STARLARK_NAMES = {"BUILD", "BUILD.bazel", "MODULE.bazel", "WORKSPACE"}


def tracked(root: Path) -> list[Path]:
    """Files that git tracks, or would: not what is ignored. Relative to `root`."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    paths = sorted({Path(name) for name in done.stdout.split("\0") if name})
    return [path for path in paths if (root / path).is_file() and not (root / path).is_symlink()]


def is_cxx(path: Path) -> bool:
    return path.suffix in CXX and "testdata" not in path.parts


def is_python(path: Path) -> bool:
    return path.suffix in PYTHON and "testdata" not in path.parts


def is_starlark(path: Path) -> bool:
    return (
        path.suffix in STARLARK
        or path.name in _STARLARK_NAMES
        or path.name.endswith((".BUILD", ".BUILD.overlay", "BUILD.bazel.overlay"))
    )
