# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The matrix kernel x target as text.

Targets are columns, in bands that fit the width. A kernel is a block of rows. One that has no
shared memory, or no spills, on any target says so once, beside its name, instead of in a row of
zeros. A file that is skipped on all targets of a band has one row there:

                             sm_75    sm_80   sm_90a
    saxpy.cu: saxpy (256 threads/block, no static shared memory, no spills)
      registers/thread          12       12       10
      occupancy              100 %    100 %    100 %
      CUBIN                4.1 KiB  4.3 KiB  5.0 KiB
      compile time           14 ms    14 ms    15 ms
"""

from __future__ import annotations

import os
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from warpyard._warpyard import KernelResources
from warpyard.cli import figures
from warpyard.cli.occupancy import Launch
from warpyard.cli.outcome import Outcome, SourceFile, short_reason
from warpyard.cli.selection import Target
from warpyard.cli.terminal import Style

SKIPPED = "–"
FAILED = "✗"
CACHED = "*"

_GAP = 2
_INDENT = "  "


@dataclass(frozen=True)
class Cell:
    """Text and the name of its style."""

    text: str = ""
    style: str = ""


@dataclass(frozen=True)
class Row:
    """A label and one cell for each target; without cells, a heading over the full width."""

    label: str
    cells: tuple[Cell, ...] = ()


# In the order of the files, and within a file in that of the targets; what an interrupt kept
# from being compiled is not there.
Outcomes = dict[tuple[SourceFile, Target], Outcome]


def _cell(outcome: Outcome | None, figure: Callable[[Outcome], Cell]) -> Cell:
    """The figure of a file that compiled; nothing for one that failed or never came to it."""
    if outcome is not None and outcome.status == "skipped":
        return Cell(SKIPPED, "dim")
    if outcome is None or outcome.result is None:
        return Cell()
    return figure(outcome)


def _time(outcome: Outcome) -> Cell:
    assert outcome.result is not None
    mark = CACHED if outcome.result.from_cache else ""
    return Cell(figures.duration(outcome.result.duration) + mark)


def _cubin(outcome: Outcome) -> Cell:
    assert outcome.result is not None
    return Cell(figures.byte_size(outcome.result.cubin_size))


def _spills(kernel: KernelResources) -> Cell:
    spilled = kernel.spill_store_bytes + kernel.spill_load_bytes
    return Cell(figures.byte_size(spilled), "yellow" if spilled else "")


def _occupancy(kernel: KernelResources, target: Target, launch: Launch) -> Cell:
    if launch.exceeds(kernel):
        return Cell(f"max {kernel.max_threads_per_block}", "yellow")
    if target.generation is None:
        return Cell("unknown", "dim")
    ratio = launch.occupancy(kernel, target.generation).ratio
    return Cell(figures.percent(ratio), "red" if ratio == 0 else "")


class _FileBlock:
    """The rows of one file over all targets."""

    def __init__(
        self,
        file: SourceFile,
        name: str,
        targets: Sequence[Target],
        outcomes: Outcomes,
        launch: Launch,
    ) -> None:
        self._name = name
        self._targets = targets
        self._outcomes = [outcomes.get((file, target)) for target in targets]
        self._launch = launch

    def rows(self) -> list[Row]:
        names = self._kernel_names()
        rows: list[Row] = []
        if len(names) != 1:
            rows.append(Row(self._name))
        for name in names:
            title = f"{self._name}: {name}" if len(names) == 1 else f"{_INDENT}{name}"
            rows += self._kernel_rows(name, title)
        rows += [self._file_row("CUBIN", _cubin), self._file_row("compile time", _time)]
        return self._with_reasons(rows)

    def _kernel_names(self) -> list[str]:
        return sorted(
            {
                kernel.display_name
                for outcome in self._outcomes
                if outcome and outcome.result
                for kernel in outcome.result.kernels
            }
        )

    def _find(self, name: str) -> list[KernelResources | None]:
        return [
            next((k for k in outcome.result.kernels if k.display_name == name), None)
            if outcome and outcome.result
            else None
            for outcome in self._outcomes
        ]

    def _kernel_rows(self, name: str, title: str) -> list[Row]:
        kernels = self._find(name)
        there = [kernel for kernel in kernels if kernel is not None]

        def row(label: str, figure: Callable[[KernelResources, Target], Cell]) -> Row:
            # A kernel may be there for some targets only (#if __CUDA_ARCH__).
            return Row(
                _INDENT + label,
                tuple(
                    figure(kernel, target)
                    if kernel is not None
                    else _cell(outcome, lambda _: Cell(SKIPPED, "dim"))
                    for kernel, outcome, target in zip(
                        kernels, self._outcomes, self._targets, strict=True
                    )
                ),
            )

        sizes = sorted({self._launch.threads(kernel) for kernel in there})
        facts = ["/".join(map(str, sizes)) + " threads/block"]
        rows = [row("registers/thread", lambda kernel, _: Cell(str(kernel.registers)))]
        if any(kernel.static_shared_bytes for kernel in there):
            rows.append(
                row("shared/block", lambda k, _: Cell(figures.byte_size(k.static_shared_bytes)))
            )
        else:
            facts.append("no static shared memory")
        if any(_spills(kernel).style for kernel in there):
            rows.append(row("spills/thread", lambda kernel, _: _spills(kernel)))
        else:
            facts.append("no spills")
        rows.append(row("occupancy", lambda k, target: _occupancy(k, target, self._launch)))
        return [Row(f"{title} ({', '.join(facts)})"), *rows]

    def _file_row(self, label: str, figure: Callable[[Outcome], Cell]) -> Row:
        return Row(_INDENT + label, tuple(_cell(outcome, figure) for outcome in self._outcomes))

    def _with_reasons(self, rows: list[Row]) -> list[Row]:
        """Puts the reason of each failure into the file's first row of cells."""
        first = next(i for i, row in enumerate(rows) if row.cells)
        cells = tuple(
            Cell(f"{FAILED} {short_reason(outcome.error)}", "red")
            if outcome is not None and outcome.error is not None
            else cell
            for cell, outcome in zip(rows[first].cells, self._outcomes, strict=True)
        )
        return [*rows[:first], Row(rows[first].label, cells), *rows[first + 1 :]]


Block = list[Row]


def _column_width(blocks: Sequence[Block], targets: Sequence[Target]) -> int:
    texts = [target.name for target in targets]
    texts += [cell.text for block in blocks for row in block for cell in row.cells]
    return max(map(len, texts))


def _bands(count: int, fit: int) -> Iterator[slice]:
    """Cuts `count` columns into as few bands as fit, of nearly the same size."""
    bands = -(-count // fit)
    size, larger = divmod(count, bands)
    start = 0
    for band in range(bands):
        end = start + size + (1 if band < larger else 0)
        yield slice(start, end)
        start = end


def _in_band(block: Block, band: slice) -> Block:
    """The block's part of a band: one row where all of it is skipped."""
    cut = [Row(row.label, row.cells[band]) for row in block]
    cells = [cell for row in cut for cell in row.cells]
    if all(cell.text == SKIPPED for cell in cells):
        heading = next(row for row in cut if not row.cells)
        skipped = next(row for row in cut if row.cells)
        return [heading, Row(_INDENT + "not for these", skipped.cells)]
    return cut


def _heading(text: str, width: int) -> list[str]:
    """In as many lines as it takes; a name alone may be wider than a line, and is cut."""
    indent = " " * (len(text) - len(text.lstrip()))
    lines = textwrap.wrap(
        text.strip(),
        width,
        initial_indent=indent,
        subsequent_indent=indent + 2 * _INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line if len(line) <= width else line[: width - 1] + "…" for line in lines]


def display_names(files: Sequence[SourceFile]) -> dict[SourceFile, str]:
    """Names without folders, unless two files would be called the same."""
    bases = Counter(os.path.basename(file.path) for file in files)
    return {
        file: base if bases[base := os.path.basename(file.path)] == 1 else file.path
        for file in files
    }


def render_matrix(
    files: Sequence[SourceFile],
    targets: Sequence[Target],
    outcomes: Outcomes,
    launch: Launch,
    width: int,
    style: Style,
) -> list[str]:
    """The lines of the matrix, none wider than `width` if one column allows it."""
    names = display_names(files)
    blocks = [_FileBlock(file, names[file], targets, outcomes, launch).rows() for file in files]
    label = max(len(row.label) for block in blocks for row in block if row.cells)
    column = _column_width(blocks, targets)
    fit = max(1, (width - label) // (column + _GAP))
    lines: list[str] = []
    for band in _bands(len(targets), fit):
        if lines:
            lines.append("")
        header = "".join(" " * _GAP + target.name.rjust(column) for target in targets[band])
        lines.append(style(" " * label + header, "bold"))
        for row in (row for block in blocks for row in _in_band(block, band)):
            if not row.cells:
                lines += [style(line, "bold") for line in _heading(row.label, width)]
                continue
            cells = "".join(
                " " * _GAP + style(cell.text.rjust(column), *filter(None, [cell.style]))
                for cell in row.cells
            )
            lines.append((row.label.ljust(label) + cells).rstrip())
    return lines
