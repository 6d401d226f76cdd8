# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What kind of stream the output goes to."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import TextIO

# Where nothing says how wide the output may be.
WIDTH_ELSEWHERE = 100
_LEAST_WIDTH = 40

_CODES = {"bold": "1", "dim": "2", "red": "31", "yellow": "33"}


@dataclass(frozen=True)
class Style:
    """Colours, or none."""

    colours: bool = False

    def __call__(self, text: str, *names: str) -> str:
        """`text` in the styles named: bold, dim, red, yellow."""
        if not self.colours or not text or not names:
            return text
        codes = ";".join(_CODES[name] for name in names)
        return f"\x1b[{codes}m{text}\x1b[0m"


def is_terminal(stream: TextIO) -> bool:
    """Whether a person looks at it and control sequences work."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def width_of(stream: TextIO) -> int:
    """Columns: those of the terminal, or $COLUMNS, or 100."""
    if not is_terminal(stream) and "COLUMNS" not in os.environ:
        return WIDTH_ELSEWHERE
    columns = shutil.get_terminal_size((WIDTH_ELSEWHERE, 24)).columns
    return max(columns, _LEAST_WIDTH)


def style_of(stream: TextIO) -> Style:
    """Colours on a terminal, unless the user wants none (https://no-color.org)."""
    return Style(is_terminal(stream) and not os.environ.get("NO_COLOR"))
