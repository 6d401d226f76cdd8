# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Where the formatters and linters are, and running them on many files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

# Far below the limit on the length of a command line of any system.
_BATCH = 400


class MissingProgram(Exception):
    """A program that could not be fetched, with the reason."""


def ruff() -> list[str]:
    import ruff as package

    # The repository of the wheel: site-packages/ruff/__init__.py and bin/ruff.
    root = Path(package.__file__).resolve().parents[2]
    return [str(root / "bin" / ("ruff.exe" if os.name == "nt" else "ruff"))]


def clang_format() -> list[str]:
    import clang_format as package

    return [str(package.get_executable("clang-format"))]


def buildifier() -> list[str]:
    for folder in (os.environ.get("RUNFILES_DIR", ""), *sys.path):
        root = Path(folder)
        for repository in sorted(root.glob("*buildifier*/")) if folder else []:
            program = repository / "bin" / "buildifier"
            if program.exists():
                return [str(program)]
            if (reason := program.with_name("missing.txt")).exists():
                raise MissingProgram(reason.read_text().strip())
    raise MissingProgram("it is not among the runfiles")


def mypy() -> list[str]:
    return [sys.executable, "-m", "mypy"]


def run(
    command: Sequence[str], files: Sequence[Path], root: Path, environment: dict[str, str] | None
) -> tuple[bool, str]:
    """Runs `command` on `files` in batches; whether all went well, and all output."""
    good, output = True, []
    for start in range(0, len(files), _BATCH):
        batch = [str(path) for path in files[start : start + _BATCH]]
        done = subprocess.run(
            [*command, *batch],
            cwd=root,
            env={**os.environ, **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        good &= done.returncode == 0
        output.append(done.stdout)
    return good, "".join(output)
