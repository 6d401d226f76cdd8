# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Numbers as people read them, each with its unit."""

from __future__ import annotations


def byte_size(count: int) -> str:
    """`0 B`, `512 B`, `4.0 KiB`, `227 KiB`, `1.5 MiB`, `80 GiB`."""
    if count < 1024:
        return f"{count} B"
    value = float(count)
    for unit in ("KiB", "MiB", "GiB", "TiB"):
        value /= 1024
        if value < 1023.5 or unit == "TiB":
            break
    return f"{value:.1f} {unit}" if value < 99.95 else f"{value:.0f} {unit}"


def memory_size(count: int) -> str:
    """Like `byte_size`, without a decimal where it says nothing: `80 GiB`."""
    return byte_size(count).replace(".0 ", " ")


def duration(seconds: float) -> str:
    """`0.4 ms`, `14 ms`, `1.2 s`, `3 min 20 s`."""
    if seconds < 0.00995:
        return f"{seconds * 1e3:.1f} ms"
    if seconds < 0.9995:
        return f"{seconds * 1e3:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def percent(ratio: float) -> str:
    """`100 %`, `12.5 %`: one decimal where it is needed."""
    return f"{ratio * 100:.1f}".removesuffix(".0") + " %"


def bandwidth(bytes_per_second: int) -> str:
    """`3350 GB/s`: 10^9 bytes, as NVIDIA states it."""
    return f"{bytes_per_second / 1e9:.0f} GB/s"


def count(number: int, singular: str, plural: str = "") -> str:
    """`1 file`, `2 files`."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"
