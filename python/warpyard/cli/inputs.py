# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The files that are to be compiled."""

from __future__ import annotations

import os
from collections.abc import Iterable

from warpyard import _warpyard
from warpyard._source import read_source
from warpyard.cli.outcome import SourceFile
from warpyard.cli.usage import UsageError
from warpyard.errors import Error


def _read(path: str) -> SourceFile:
    if os.path.isdir(path):
        raise UsageError(f"{path}: is a folder, expected a file of CUDA C++ or PTX")
    try:
        source = read_source(path)
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such file (looked in {os.getcwd()})") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except Error as error:
        raise UsageError(str(error)) from None
    try:
        requirement = _warpyard.find_requirement(source.text)
    except Error as error:
        raise UsageError(f"{path}: {error}") from None
    stem = os.path.splitext(os.path.basename(path))[0]
    return SourceFile(source, requirement, stem)


def read_files(paths: Iterable[str]) -> list[SourceFile]:
    """Reads all files; the same path given twice is read and compiled once."""
    return [_read(path) for path in dict.fromkeys(paths)]
