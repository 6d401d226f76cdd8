# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""How far the work is, on stderr: a bar on a terminal, a line for each file elsewhere."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TextIO

from warpyard.cli import figures
from warpyard.cli.outcome import Outcome, Unit
from warpyard.cli.terminal import is_terminal


class Progress(Protocol):
    """Told of each unit that ends."""

    def advance(self, outcome: Outcome) -> None: ...


class _Silent:
    def advance(self, outcome: Outcome) -> None:
        pass


class _Lines:
    """A line when the last target of a file is done."""

    def __init__(self, units: Sequence[Unit], stream: TextIO) -> None:
        self._stream = stream
        self._left = Counter(unit.file.path for unit in units)
        self._targets = dict(self._left)
        self._failed: Counter[str] = Counter()
        self._files = 0

    def advance(self, outcome: Outcome) -> None:
        path = outcome.unit.file.path
        self._left[path] -= 1
        self._failed[path] += outcome.status == "failed"
        if self._left[path]:
            return
        self._files += 1
        done = figures.count(self._targets[path], "target")
        failed = f", {self._failed[path]} failed" if self._failed[path] else ""
        print(
            f"[{self._files}/{len(self._targets)}] {path}: {done}{failed}",
            file=self._stream,
            flush=True,
        )


@contextmanager
def _bar(total: int, stream: TextIO) -> Iterator[Progress]:
    # Costs 60 ms to import, which only a terminal pays.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("Compiling"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with RichProgress(*columns, console=Console(file=stream), transient=True) as rich:
        task = rich.add_task("", total=total)

        class _Bar:
            def advance(self, outcome: Outcome) -> None:
                unit = outcome.unit
                rich.update(task, advance=1, description=f"{unit.file.stem} {unit.target.name}")

        yield _Bar()


@contextmanager
def progress(units: Sequence[Unit], quiet: bool = False) -> Iterator[Progress]:
    """Shows progress on stderr until the block ends."""
    if quiet:
        yield _Silent()
    elif is_terminal(sys.stderr):
        with _bar(len(units), sys.stderr) as bar:
            yield bar
    else:
        yield _Lines(units, sys.stderr)
