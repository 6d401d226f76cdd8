# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Remembers which program was chosen, where the shell finds it without starting Python."""

from __future__ import annotations

import os
from pathlib import Path

# Calls alternate between few choices: terminals with another PATH, an override now and then.
_KEPT = 16


def remember(file: Path, key: str, program: str) -> None:
    """Adds the answer for `key` to a file, whole or not at all; the oldest answers go.

    Two at once may lose one of their answers: it is found again by the next call.

    Args:
        file: pairs of lines, what an answer depends on and the program.
        key: what the answer depends on; the shell compares it.
        program: path of the program to run.
    """
    if "\n" in key + program:
        return
    try:
        lines = file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        lines = []
    pairs = dict(zip(lines[0::2], lines[1::2], strict=True)) if len(lines) % 2 == 0 else {}
    pairs.pop(key, None)
    pairs[key] = program
    kept = list(pairs.items())[-_KEPT:]
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        temporary.write_text(
            "".join(f"{known}\n{answer}\n" for known, answer in kept),
            encoding="utf-8",
            errors="surrogateescape",
        )
        os.replace(temporary, file)
    finally:
        temporary.unlink(missing_ok=True)
