# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Asks a program which Bazel it is, without waiting for a network that is not there."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bazel.launcher import processes
from bazel.launcher.errors import Unavailable

# A program that neither answers nor downloads for this long is given up on.
PATIENCE_SECONDS = 5.0
# Even a slow download ends some time.
_LIMIT_SECONDS = 900.0
_LOOK_SECONDS = 0.5

# Set for the programs that are asked: a `bazel` on PATH may be this very launcher.
PROBING = "WARPYARD_BAZELW_PROBING"

_VERSION = re.compile(r"^bazel (\S+)", re.MULTILINE)


def bazelisk_home() -> Path:
    """Returns the folder that bazelisk downloads into, by its own rules."""
    if os.environ.get("BAZELISK_HOME"):
        return Path(os.environ["BAZELISK_HOME"])
    home = Path(os.path.expanduser("~"))
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "bazelisk"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "bazelisk"


def _bytes_below(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except OSError:
                continue
    return total


def _while_downloading(folder: Path, patience: float) -> Callable[[], bool]:
    """Returns a `keep_waiting` that says no once `folder` has stopped growing for a while."""
    start = time.monotonic()
    grew_at = looked_at = start
    size = _bytes_below(folder)

    def keep_waiting() -> bool:
        nonlocal grew_at, looked_at, size
        now = time.monotonic()
        if now - looked_at >= _LOOK_SECONDS:
            looked_at = now
            new_size = _bytes_below(folder)
            if new_size != size:
                size, grew_at = new_size, now
        return now - grew_at < patience and now - start < _LIMIT_SECONDS

    return keep_waiting


def version_of(program: str, root: Path, patience: float = PATIENCE_SECONDS) -> str:
    """Returns the version that `program --version` prints when run in the workspace.

    Args:
        program: path of a Bazel or bazelisk.
        root: the workspace, whose .bazelversion bazelisk follows.
        patience: seconds without an answer and without download progress after which to give up.

    Raises:
        Unavailable: it gives no version; the message says why.
    """
    environment = {**os.environ, PROBING: "1"}
    command = [program, "--version"]
    try:
        finished = processes.run(
            command,
            cwd=root,
            env=environment,
            keep_waiting=_while_downloading(bazelisk_home(), patience),
        )
    except OSError as error:
        raise Unavailable(f"cannot be run: {error.strerror or error}") from error
    if finished.exit_code is None:
        raise Unavailable(f"no answer to --version within {patience:g} s (no network?)")
    match = _VERSION.search(finished.output)
    if finished.exit_code != 0 or not match:
        lines = (finished.errors.strip() or finished.output.strip()).splitlines()
        said = f": {lines[-1].strip()}" if lines else ""
        raise Unavailable(f"--version failed with exit code {finished.exit_code}{said}")
    return match[1]
