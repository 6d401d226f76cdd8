# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Runs single PTX statements through the emulator's handlers (operation_tool.cc)."""

import os
import re
import subprocess
from collections.abc import Sequence

LANES = 32
FULL = 0xFFFFFFFF
_KINDS = {"p": "p", "c": "w", "h": "w", "r": "w", "f": "w", "d": "d", "g": "d", "q": "q"}


class Tool:
    """One process that answers line by line."""

    def __init__(self, baseline: bool = False) -> None:
        environment = dict(os.environ)
        if baseline:
            environment["WARPYARD_EMULATOR_BASELINE"] = "1"
        self._process = subprocess.Popen(
            [os.environ["OPERATION_TOOL"]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def _ask(self, line: str) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the tool ended at: {line[:200]}")
        return answer.rstrip("\n")

    def decode(self, statement: str, target: str) -> str:
        """ "ok", or why it is not executed."""
        return self._ask(f"decode {target}\t{statement}")

    def run(
        self,
        statement: str,
        sources: Sequence[Sequence[int]],
        *,
        target: str = "sm_120a",
        kinds: str = "",
        before: Sequence[Sequence[int]] = (),
        mask: int = FULL,
    ) -> list[list[int]]:
        """The destination rows after the last statement ran on the source rows.

        `kinds` has a letter for each row; without it they follow from the names of the
        registers, one destination first.
        """
        if not kinds:
            operands = statement.rsplit(";", 1)[-1].split(None, 1)[1]
            kinds = "".join(_KINDS[name] for name in re.findall(r"%([a-z])\d", operands))
        count = len(kinds) - len(sources)
        rows = list(sources)
        for i in range(count):
            old = before[i] if i < len(before) else [0] * (1 if kinds[i] == "p" else LANES)
            rows.append(old)
        values = " ".join(f"{value:x}" for row in rows for value in row)
        answer = self._ask(f"run {target}\t{statement}\t{kinds}\t{values} {mask:x}")
        if ":" in answer:
            raise RuntimeError(f"{statement}: {answer}")
        numbers = [int(word, 16) for word in answer.split()]
        result, at = [], 0
        for i in range(count):
            size = 1 if kinds[i] == "p" else LANES
            result.append(numbers[at : at + size])
            at += size
        return result
