# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Units of work in threads, and an orderly end when the user interrupts them.

The compilers release the interpreter's lock, so threads keep all cores busy.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_all(
    items: Sequence[Item],
    work: Callable[[Item], Result],
    done: Callable[[Item, Result], None],
    jobs: int,
) -> None:
    """Calls `work` for each item, in `jobs` threads, and `done` in this thread as each one ends.

    Items begin in order. What `work` raises is raised here. On that, on what `done` raises and on
    KeyboardInterrupt no more items begin, and the call ends when the running ones have; their
    results are dropped. The threads are daemons: a second interrupt during that wait ends the
    process without them.
    """
    todo: queue.SimpleQueue[Item] = queue.SimpleQueue()
    for item in items:
        todo.put(item)
    ended: queue.SimpleQueue[tuple[Item, Result | None, BaseException | None]]
    ended = queue.SimpleQueue()
    stop = threading.Event()

    def worker() -> None:
        while not stop.is_set():
            try:
                item = todo.get_nowait()
            except queue.Empty:
                return
            try:
                result = work(item)
            except BaseException as error:  # handed to the caller's thread
                ended.put((item, None, error))
            else:
                ended.put((item, result, None))

    threads = [
        threading.Thread(target=worker, name=f"compile-{i}", daemon=True)
        for i in range(max(1, min(jobs, len(items))))
    ]
    for thread in threads:
        thread.start()
    try:
        for _ in items:
            item, result, error = ended.get()
            if error is not None:
                raise error
            done(item, result)  # type: ignore[arg-type]
    finally:
        stop.set()
        for thread in threads:
            thread.join()
