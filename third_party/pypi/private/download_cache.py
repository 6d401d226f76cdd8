# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""A cache of downloaded distributions, shared by all checkouts of a user.

Layout: <cache>/downloads/<key>/ holds the files that pip chose for one set of
requirements on one kind of machine. Nothing in it is trusted: every file is
hashed again before use.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from lock_file import Requirement


def root() -> Path:
    """The folder of Warpyard's caches: $WARPYARD_CACHE_DIR or the user's."""
    if named := os.environ.get("WARPYARD_CACHE_DIR"):
        return Path(named)
    if os.name == "nt" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local) / "warpyard"
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "warpyard"


def key(requirements: list[Requirement], sdist: bool) -> str:
    """Everything that decides which file pip chooses."""
    parts = ["sdist" if sdist else "wheel", sys.platform, platform.machine()]
    parts.append(f"{sys.implementation.name}{sys.version_info[0]}.{sys.version_info[1]}")
    parts += [requirement.text for requirement in requirements]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _lock(file: IO[bytes]) -> None:
    """Waits for `file`'s lock, which the system drops when a process ends."""
    if sys.platform == "win32":
        import msvcrt

        while True:
            with contextlib.suppress(OSError):
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                return
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


@contextlib.contextmanager
def locked(name: str) -> Iterator[Path]:
    """Holds the cache entry `name` alone; gives its folder, which may be missing."""
    folder = root() / "downloads" / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(name + ".lock").open("wb") as file:
        _lock(file)
        yield folder


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def verified_files(folder: Path, requirements: list[Requirement]) -> list[Path] | None:
    """The files of an entry, or None when there is none or it is damaged.

    A damaged entry is removed; the caller holds the lock.
    """
    if not folder.is_dir():
        return None
    allowed = frozenset().union(*(requirement.hashes for requirement in requirements))
    files = sorted(folder.iterdir())
    # An empty entry has lost its files: none is ever kept.
    if files and all(file.is_file() and _digest(file) in allowed for file in files):
        return files
    shutil.rmtree(folder)
    return None


@contextlib.contextmanager
def filling(folder: Path) -> Iterator[Path]:
    """Gives an empty folder that becomes the entry `folder` when all goes well.

    What an interrupted download left is removed; the caller holds the lock.
    """
    staging = folder.with_name(folder.name + ".new")
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir()
    try:
        yield staging
        os.replace(staging, folder)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
