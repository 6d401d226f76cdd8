# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What became of one file compiled for one target."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from warpyard import errors
from warpyard._source import Source
from warpyard._warpyard import CompileResult, SmRequirement
from warpyard.cli.selection import Target

Status = Literal["compiled", "failed", "skipped"]


@dataclass(frozen=True)
class SourceFile:
    """A file to compile.

    Attributes:
        source: What stands in it.
        requirement: What it demands of a target, if anything.
        stem: What its outputs are called, before the target's name.
    """

    source: Source
    requirement: SmRequirement | None
    stem: str

    @property
    def path(self) -> str:
        return self.source.name


@dataclass(frozen=True)
class Unit:
    """One file for one target."""

    file: SourceFile
    target: Target


@dataclass
class Outcome:
    """Exactly one of `result`, `error` and `requirement` is there, as `status` says."""

    unit: Unit
    status: Status
    result: CompileResult | None = None
    error: errors.Error | None = None
    requirement: SmRequirement | None = None
    outputs: dict[str, str] = field(default_factory=dict)


# The word for a cell of the matrix, by the class of the error and what its message speaks of.
_REASONS: tuple[tuple[type[errors.Error], str, str], ...] = (
    (errors.ResourceExhaustedError, r"register", "registers"),
    (errors.ResourceExhaustedError, r"tensor memory", "tmem"),
    (errors.ResourceExhaustedError, r"shared", "smem"),
    (errors.ResourceExhaustedError, r"constant|parameter", "constants"),
    (errors.ResourceExhaustedError, r"", "resources"),
    (errors.UnimplementedError, r"\bISA\b", "PTX ISA"),
    (errors.UnimplementedError, r"\btakes .*, not\b", "provider"),
    (errors.UnimplementedError, r"", "target"),
    (errors.FailedPreconditionError, r"toolkit|CUDA \d", "toolkit"),
    (errors.NotFoundError, r"undefined|unresolved", "undefined"),
    (errors.NotFoundError, r"", "not found"),
    (errors.InvalidArgumentError, r"\.target|\barchitecture\b|is PTX for sm_", "target"),
    (errors.InvalidArgumentError, r"", "code"),
)


def short_reason(error: errors.Error) -> str:
    """One word or two for why it failed, to stand in a cell of the matrix."""
    for kind, pattern, word in _REASONS:
        if isinstance(error, kind) and re.search(pattern, error.message, re.IGNORECASE):
            return word
    return error.code.lower().replace("_", " ")
