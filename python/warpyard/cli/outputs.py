# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The files of `-o DIR`: DIR/<file>.<target>.cubin and .ptx."""

from __future__ import annotations

import os
from collections.abc import Sequence

from warpyard import _warpyard
from warpyard.cli.outcome import Outcome, SourceFile
from warpyard.cli.usage import UsageError


class OutputFolder:
    """A folder that compiled code goes to. Every file is written whole or not at all."""

    def __init__(self, path: str, files: Sequence[SourceFile]) -> None:
        """Makes the folder. Raises UsageError where two files would have the same outputs."""
        self._path = path
        by_stem: dict[str, SourceFile] = {}
        for file in files:
            other = by_stem.setdefault(file.stem, file)
            if other is not file:
                raise UsageError(
                    f"-o {path}: {other.path} and {file.path} would both be written to "
                    f"{file.stem}.*; compile them into two folders"
                )
        if os.path.exists(path) and not os.path.isdir(path):
            raise UsageError(f"-o {path}: is a file, expected a folder")
        _warpyard.make_folders(path)

    def write(self, outcome: Outcome) -> None:
        """Writes what was compiled, and notes in `outcome.outputs` where it is."""
        if outcome.result is None:
            return
        name = f"{outcome.unit.file.stem}.{outcome.unit.target.name}"
        forms = [("cubin", outcome.result.cubin)]
        if outcome.result.ptx:
            forms.append(("ptx", outcome.result.ptx.encode()))
        paths = [os.path.join(self._path, f"{name}.{form}") for form, _ in forms]
        _warpyard.write_files_atomically(
            [(path, data) for path, (_, data) in zip(paths, forms, strict=True)]
        )
        outcome.outputs.update((form, path) for path, (form, _) in zip(paths, forms, strict=True))
