# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tells the user what a long set-up is doing: one line on a terminal, a few lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TextIO

_PREFIX = "bazelw: "


class Progress:
    """Prints the step at work.

    On a terminal the line is rewritten in place and cleared at the end; elsewhere each step is one
    line, printed when it starts.
    """

    def __init__(self, stream: TextIO = sys.stderr) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._start = time.monotonic()
        self._step = ""
        self._shown = ""

    def say(self, text: str) -> None:
        """Prints a line that stays."""
        self.clear()
        self._stream.write(f"{_PREFIX}{text}\n")
        self._stream.flush()

    def step(self, text: str) -> None:
        """Starts a step."""
        self._step = text
        if self._terminal:
            self.update("")
        else:
            self.say(text)

    def update(self, detail: str) -> None:
        """Shows how far the step is; nothing where there is no terminal."""
        if not self._terminal:
            return
        seconds = int(time.monotonic() - self._start)
        line = f"{_PREFIX}[{seconds:2d} s] {self._step} {detail}".rstrip()
        if line != self._shown:
            self._stream.write(f"\r{line}\x1b[K")
            self._stream.flush()
            self._shown = line

    def clear(self) -> None:
        """Takes the unfinished line off the terminal."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._shown = ""

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start
