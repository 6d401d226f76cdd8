# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Compilations that were never compiled, for tests of what is shown of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from warpyard import _warpyard, errors
from warpyard._source import Source
from warpyard.cli.outcome import Outcome, SourceFile, Unit
from warpyard.cli.selection import Target, parse_targets


def targets(names: str) -> list[Target]:
    return parse_targets([names])


def file(path: str = "saxpy.cu", requirement: str = "") -> SourceFile:
    stem = path.rpartition("/")[2].rpartition(".")[0]
    required = _warpyard.SmRequirement(requirement) if requirement else None
    return SourceFile(Source(path, b"", "cuda"), required, stem)


def kernel(name: str = "saxpy", **figures: Any) -> Any:
    fields = {
        "name": name,
        "display_name": name,
        "registers": 12,
        "static_shared_bytes": 0,
        "constant_bytes": 380,
        "local_bytes": 0,
        "spill_store_bytes": 0,
        "spill_load_bytes": 0,
        "max_threads_per_block": 256,
        "barriers": 0,
    }
    return SimpleNamespace(**(fields | figures))


def compiled(unit: Unit, *kernels: Any, **fields: Any) -> Outcome:
    result = {
        "kernels": list(kernels),
        "cubin": b"\x7fELF",
        "cubin_size": 4300,
        "ptx": ".version 9.5",
        "duration": 0.014,
        "from_cache": False,
        "warnings": [],
        "provider": "fake",
        "tool_version": "0",
    }
    return Outcome(unit, "compiled", result=SimpleNamespace(**(result | fields)))  # type: ignore[arg-type]


def failed(unit: Unit, error: errors.Error) -> Outcome:
    return Outcome(unit, "failed", error=error)


def skipped(unit: Unit) -> Outcome:
    return Outcome(unit, "skipped", requirement=unit.file.requirement)


def outcomes(*items: Outcome) -> dict[tuple[SourceFile, Target], Outcome]:
    return {(item.unit.file, item.unit.target): item for item in items}
