# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Remembers which program was chosen, where the shell finds it without starting Python."""

from __future__ import annotations

import os
from pathlib import Path


def remember(file: Path, key: str, program: str) -> None:
    """Writes the answer for `key`, whole or not at all.

    Args:
        file: where the shell looks.
        key: what the answer depends on; the shell compares it.
        program: path of the program to run.
    """
    if "\n" in key + program:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        temporary.write_text(f"{key}\n{program}\n", encoding="utf-8", errors="surrogateescape")
        os.replace(temporary, file)
    finally:
        temporary.unlink(missing_ok=True)
