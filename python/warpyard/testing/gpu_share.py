# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests of several processes on one machine's GPUs: those whose memory fits run together.

The memory is divided into slots, each with a lock file; a test takes as many as what it declares
needs, and all of them when it declares nothing or uses several GPUs. Who takes slots holds the
lock `queue` meanwhile, so tests are admitted in turn, and a big one waits but is never passed for
ever. The system gives locks back when a process ends, however that happens. cc/testing/gpu_share
takes the same locks.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO

SLOTS = 64


class FileLock:
    """A lock between processes on a file that stays."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def try_acquire(self) -> bool:
        """Whether nobody else has it; kept until `release` or the end of the process."""
        # Any user's test may come next.
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        with contextlib.suppress(OSError):
            os.chmod(self._path, 0o666)
        file = os.fdopen(descriptor, "r+b")
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        self._file = file
        return True

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def lock_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the lock files are: WARPYARD_GPU_LOCKS, or a folder that sandboxes share."""
    if folder := environment.get("WARPYARD_GPU_LOCKS"):
        return Path(folder)
    shared = Path("/dev/shm")
    return (shared if shared.is_dir() else Path(tempfile.gettempdir())) / "warpyard-gpu-locks"


def slots_needed(memory: int, total: int, gpus: int) -> int:
    """How many of the slots a test takes.

    Args:
        memory: Bytes that it uses of a GPU at most, 0 where it does not say.
        total: Bytes that a GPU has.
        gpus: How many GPUs it uses.
    """
    if gpus > 1 or memory <= 0 or memory >= total:
        return SLOTS
    # Of the slots' size, rounded down so that their sum is never more than there is.
    return min(-(-memory // max(total // SLOTS, 1)), SLOTS)


class _Wait:
    """Sleeps a little longer each time."""

    def __init__(self) -> None:
        self._seconds = 0.005

    def __call__(self) -> None:
        time.sleep(self._seconds)
        self._seconds = min(self._seconds * 1.5, 0.25)


def acquire(slots: int, folder: Path) -> list[FileLock]:
    """Waits until that many slots are free, and takes them.

    Returns:
        What holds them until it is released or the process ends.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        folder.chmod(0o777)
    queue = FileLock(folder / "queue")
    wait = _Wait()
    while not queue.try_acquire():
        wait()
    held: list[FileLock] = []
    free = [FileLock(folder / f"slot-{i}") for i in range(SLOTS)]
    wait = _Wait()
    while True:
        for lock in list(free):
            if len(held) < slots and lock.try_acquire():
                free.remove(lock)
                held.append(lock)
        if len(held) == slots:
            queue.release()
            return held
        wait()
