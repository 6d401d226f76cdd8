# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Medians of wall times, of things taken in turn so that the machine's moods hit them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def medians(runs: int, *works: Callable[[], object], warm_up: bool = True) -> list[float]:
    """Median seconds of each, after one run of each that does not count."""
    for work in works if warm_up else ():
        work()
    times = [[seconds(work) for work in works] for _ in range(runs)]
    return [statistics.median(column) for column in zip(*times, strict=True)]


def report(what: str, figure: str, goal: str, met: bool) -> None:
    print(f"{what:<58} {figure:>22}   goal {goal:<10} {'met' if met else 'MISSED'}", flush=True)
