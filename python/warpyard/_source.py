# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Source code on its way to the compiler: its bytes, its name, its language."""

from __future__ import annotations

import os
import re
from typing import Literal, NamedTuple

from warpyard.errors import InvalidArgumentError

Language = Literal["cuda", "ptx"]

# A source larger than this is no source.
MAX_SOURCE_BYTES = 64 << 20

# PTX begins with its version, after comments (PTX ISA, "PTX Module Directives: .version").
_PTX = re.compile(rb"(?:\s|//[^\n]*\n|/\*.*?\*/)*\.version\s", re.DOTALL)


class Source(NamedTuple):
    """One translation unit.

    Attributes:
        name: What diagnostics call it.
        text: Its bytes.
        language: "cuda" (CUDA C++) or "ptx".
        folder: Where its quoted includes are looked for; empty when it is no file.
    """

    name: str
    text: bytes
    language: Language
    folder: str = ""


def detect_language(name: str, text: bytes) -> Language:
    """By the file's suffix, and where that says nothing by what stands in it."""
    suffix = os.path.splitext(name)[1].lower()
    if suffix == ".ptx":
        return "ptx"
    if suffix in (".cu", ".cuh"):
        return "cuda"
    return "ptx" if _PTX.match(text) else "cuda"


def read_source(path: str | os.PathLike[str]) -> Source:
    """Reads a file. Raises `OSError` if it cannot, InvalidArgumentError if it is too large."""
    name = os.fspath(path)
    with open(name, "rb") as file:
        text = file.read(MAX_SOURCE_BYTES + 1)
    if len(text) > MAX_SOURCE_BYTES:
        raise InvalidArgumentError(
            f"{name}: larger than the {MAX_SOURCE_BYTES >> 20} MiB that a source may have"
        )
    folder = os.path.dirname(os.path.abspath(name))
    return Source(name, text, detect_language(name, text), folder)


def make_source(source: str | bytes | os.PathLike[str], name: str | None) -> Source:
    """A source from text, from bytes or from a path."""
    if isinstance(source, os.PathLike):
        return read_source(source)
    text = source.encode() if isinstance(source, str) else bytes(source)
    if len(text) > MAX_SOURCE_BYTES:
        raise InvalidArgumentError(
            f"a source of {len(text)} bytes; at most {MAX_SOURCE_BYTES >> 20} MiB are taken"
        )
    language = detect_language(name or "", text)
    return Source(name or ("source.ptx" if language == "ptx" else "source.cu"), text, language)
