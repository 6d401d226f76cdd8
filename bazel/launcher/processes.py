# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Child processes that never outlive the launcher's interest in them.

Each child leads a process group of its own, so that whatever it started ends with it; a terminal's
Ctrl-C therefore reaches only the launcher, which then ends the groups itself.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from bazel.launcher.errors import Interrupted

_POLL_SECONDS = 0.05

_running: set[subprocess.Popen[bytes]] = set()
_running_lock = threading.Lock()


@dataclasses.dataclass(frozen=True)
class Finished:
    """How a child ended.

    Attributes:
        exit_code: its exit code, negative where a signal ended it; None where it was given up on.
        output: its standard output.
        errors: its standard error.
    """

    exit_code: int | None
    output: str
    errors: str


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def kill_all() -> None:
    """Ends every child that still runs, with all that it started."""
    with _running_lock:
        processes = list(_running)
    for process in processes:
        _kill_group(process)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", errors="replace")


def run(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    keep_waiting: Callable[[], bool] = lambda: True,
) -> Finished:
    """Runs a command to its end, or until `keep_waiting` says no.

    Args:
        command: program and arguments.
        cwd: folder to run in.
        env: its environment; the launcher's own where None.
        keep_waiting: called about twenty times a second while the child runs.

    Raises:
        OSError: the program cannot be started.
    """
    # Files instead of pipes: a grandchild that keeps a pipe open cannot hold up the launcher.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,
        )
        with _running_lock:
            _running.add(process)
        exit_code = None
        try:
            while process.poll() is None and keep_waiting():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(_POLL_SECONDS)
            exit_code = process.poll()
        finally:
            # Also after a normal end: nothing that it started may run on.
            _kill_group(process)
            with _running_lock:
                _running.discard(process)

        return Finished(exit_code, _text(output), _text(errors))


def deadline(seconds: float) -> Callable[[], bool]:
    """Returns a `keep_waiting` for `run` that says no after some seconds."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Turns SIGINT, SIGTERM and SIGHUP into `Interrupted`, raised in the main thread."""

    def stop(signal_number: int, frame: object) -> None:
        # A second signal must not break off the cleaning up that the first one starts. The
        # children are not ended here: the main thread may be inside a wait for one of them.
        for number in previous:
            signal.signal(number, signal.SIG_IGN)
        raise Interrupted(signal_number)

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    handlers = {number: signal.getsignal(number) for number in numbers}
    # What the caller has switched off, as nohup does, stays off.
    previous = {n: handler for n, handler in handlers.items() if handler is not signal.SIG_IGN}
    for number in previous:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
