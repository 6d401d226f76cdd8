# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""A lock between processes that ends with its holder, however that ends."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

_POLL_SECONDS = 0.1


@contextlib.contextmanager
def hold(path: Path, on_wait: Callable[[str], None]) -> Iterator[None]:
    """Holds the lock file `path`, waiting for another holder to let go.

    The file stays: removing it would let a third process lock a new file of the same name while a
    second one still waits on the old.

    Args:
        path: the lock file; created where missing, in a folder that exists.
        on_wait: called once with the holder's process id if there is a wait.
    """
    with open(path, "a+", encoding="ascii") as file:
        waiting = False
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if error.errno not in (errno.EAGAIN, errno.EACCES):
                    raise
            if not waiting:
                waiting = True
                file.seek(0)
                on_wait(file.read().strip() or "unknown")
            # Polling lets a signal end the wait at once on every Python.
            time.sleep(_POLL_SECONDS)
        file.seek(0)
        file.truncate()
        file.write(str(os.getpid()))
        file.flush()
        yield
