# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What --target and --all mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from warpyard import _warpyard
from warpyard._warpyard import ComputeCapability, Generation
from warpyard.cli.usage import UsageError
from warpyard.errors import Error


@dataclass(frozen=True)
class Target:
    """One column of the matrix.

    Attributes:
        code: What is compiled for.
        generation: What bounds a kernel there; None for targets older than the database.
        devices: Names of the GPUs that run it, those that the user named first.
    """

    code: ComputeCapability
    generation: Generation | None
    devices: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.code.sm_name

    @property
    def architecture(self) -> str:
        return self.generation.architecture if self.generation else "unknown architecture"


@dataclass(frozen=True)
class Excluded:
    """A generation that --all leaves out, with the reason."""

    target: Target
    reason: str


def _devices(code: ComputeCapability, named: Sequence[str] = ()) -> tuple[str, ...]:
    same = [spec.name for spec in _warpyard.targets() if spec.compute_capability == code.plain]
    return (*named, *(name for name in same if name not in named))


def parse_targets(lists: Iterable[str]) -> list[Target]:
    """Reads `h100,sm_120`; a target that two names mean comes once, where it comes first."""
    named: dict[ComputeCapability, list[str]] = {}
    for text in (part.strip() for item in lists for part in item.split(",")):
        if not text:
            continue
        try:
            resolved = _warpyard.resolve_target(text)
        except Error as error:
            raise UsageError(f"--target: {error}") from None
        names = named.setdefault(resolved.code, [])
        if resolved.device is not None and resolved.device.name not in names:
            names.append(resolved.device.name)
    if not named:
        raise UsageError("--target: no target named; for example: --target h100,sm_120")
    return [
        Target(code, _warpyard.find_generation(code), _devices(code, names))
        for code, names in named.items()
    ]


def all_targets(toolkit: str) -> tuple[list[Target], list[Excluded]]:
    """The native target of every generation, and those that the toolkit does not compile for."""
    taken: list[Target] = []
    excluded: list[Excluded] = []
    for generation in _warpyard.generations():
        code = generation.native_target
        target = Target(code, generation, _devices(code))
        try:
            _warpyard.check_toolkit_compiles_for(toolkit, code)
        except Error as error:
            excluded.append(Excluded(target, str(error)))
        else:
            taken.append(target)
    return taken, excluded
