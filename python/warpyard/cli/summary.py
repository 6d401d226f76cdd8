# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What stands below the matrix: its legend, failures with their logs, warnings, totals."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from warpyard.cli import figures
from warpyard.cli.matrix import CACHED, FAILED, SKIPPED, Outcomes
from warpyard.cli.occupancy import Launch
from warpyard.cli.outcome import Outcome, SourceFile
from warpyard.cli.selection import Excluded, Target
from warpyard.cli.terminal import Style


def _wrapped(text: str, width: int, indent: str = "  ") -> list[str]:
    return textwrap.wrap(
        text,
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def legend(
    targets: Sequence[Target],
    excluded: Sequence[Excluded],
    outcomes: Outcomes,
    launch: Launch,
    names: Mapping[SourceFile, str],
    width: int,
) -> list[str]:
    """What the columns and the marks mean."""
    lines: list[str] = []
    for target in targets:
        devices = ", ".join(target.devices) or "no GPU in the database"
        lines += _wrapped(f"{target.name}: {target.architecture} ({devices})", width, " " * 10)
    for item in excluded:
        devices = ", ".join(item.target.devices)
        lines += _wrapped(f"Left out: {item.target.name} ({devices}): {item.reason}", width)
    skipped = {
        file: outcome.requirement
        for (file, _), outcome in outcomes.items()
        if outcome.status == "skipped"
    }
    for file, requirement in skipped.items():
        lines += _wrapped(f"{SKIPPED} {names[file]} requires {requirement}", width)
    compiled = [outcome for outcome in outcomes.values() if outcome.result]
    if any(outcome.result and outcome.result.from_cache for outcome in compiled):
        lines += _wrapped(f"{CACHED} from the cache; the time is that of the compilation", width)
    if compiled:
        dynamic = (
            f"{figures.byte_size(launch.dynamic_shared_memory)} of dynamic shared memory"
            if launch.dynamic_shared_memory
            else "no dynamic shared memory (--dynamic-shared BYTES adds it)"
        )
        lines += _wrapped(f"Occupancy: resident warps of the most an SM holds, {dynamic}", width)
    return lines


@dataclass
class _Group:
    """A text that several targets of a file have in common, but for their own names in it."""

    path: str
    texts: list[str]
    targets: list[str]
    common: str

    @property
    def text(self) -> str:
        return self.texts[0] if len(self.texts) == 1 else self.common


def _grouped(items: Iterable[tuple[Outcome, str]]) -> list[_Group]:
    groups: dict[tuple[str, str], _Group] = {}
    for outcome, text in items:
        path, target = outcome.unit.file.path, outcome.unit.target.name
        common = re.sub(rf"\b{re.escape(target)}\b", "the target", text)
        group = groups.setdefault((path, common), _Group(path, [], [], common))
        group.texts.append(text)
        group.targets.append(target)
    return list(groups.values())


def _indented(text: str) -> list[str]:
    return [f"    {line}".rstrip() for line in text.splitlines()]


def failures(outcomes: Outcomes, style: Style) -> list[str]:
    """Every failure with its message and the compiler's log."""
    lines: list[str] = []
    texts = []
    for outcome in outcomes.values():
        if outcome.error is not None:
            # A message often quotes the whole log already.
            log = outcome.error.log.strip()
            known = not log or log in outcome.error.message
            texts.append((outcome, outcome.error.message + ("" if known else "\n" + log)))
    for group in _grouped(texts):
        where = f"{group.path} for {', '.join(group.targets)}"
        lines.append(style(f"{FAILED} {where}:", "bold", "red"))
        lines += _indented(group.text)
    return lines


def warnings(outcomes: Outcomes, style: Style) -> list[str]:
    """Every warning of a compiler."""
    lines: list[str] = []
    items = [
        (outcome, warning)
        for outcome in outcomes.values()
        if outcome.result
        for warning in outcome.result.warnings
    ]
    for group in _grouped(items):
        where = f"{group.path} for {', '.join(group.targets)}"
        lines.append(style(f"warning: {where}:", "yellow"))
        lines += _indented(group.text)
    return lines


def totals(outcomes: Outcomes, planned: int, seconds: float, jobs: int) -> str:
    """One line of numbers."""
    count = {"compiled": 0, "failed": 0, "skipped": 0}
    cached = 0
    for outcome in outcomes.values():
        count[outcome.status] += 1
        cached += outcome.result is not None and outcome.result.from_cache
    parts = [f"{count['compiled']} compiled" + (f" ({cached} from the cache)" if cached else "")]
    parts.append(f"{count['skipped']} skipped")
    parts.append(f"{count['failed']} failed")
    if planned > len(outcomes):
        parts.append(f"{planned - len(outcomes)} not begun")
    workers = figures.count(jobs, "worker")
    return f"{', '.join(parts)} in {figures.duration(seconds)} with {workers}"
