# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Reads a requirements lock file in which every line is pinned and hashed."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path


class LockError(Exception):
    """A lock file that is not one."""


@dataclasses.dataclass(frozen=True)
class Requirement:
    """One pinned requirement.

    The same name may be pinned several times, with markers that exclude each
    other (one version for old Pythons, another for new ones).
    """

    name: str  # normalised: lower case, '-' between words
    version: str
    marker: str  # environment marker, empty when it always applies
    hashes: frozenset[str]  # hexadecimal SHA-256

    @property
    def text(self) -> str:
        """The requirement as pip reads it."""
        marker = f" ; {self.marker}" if self.marker else ""
        hashes = "".join(f" --hash=sha256:{digest}" for digest in sorted(self.hashes))
        return f"{self.name}=={self.version}{marker}{hashes}"


def normalise(name: str) -> str:
    """The canonical form of a distribution name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


_LINE = re.compile(
    r"^(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)(?P<extras>\[[^\]]*\])?==(?P<version>[^\s;]+)"
    r"\s*(?:;\s*(?P<marker>.*?))?\s*$"
)


def parse(text: str, source: str) -> list[Requirement]:
    """Parses the text of a lock file; `source` names it in errors."""
    requirements = []
    joined = re.sub(r"\\\n", " ", text)
    for line in joined.splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        head, *hashes = line.split("--hash=")
        match = _LINE.match(head.strip())
        if match is None:
            raise LockError(f"{source}: not a pinned requirement: {head.strip()!r}")
        digests = frozenset(h.strip().removeprefix("sha256:") for h in hashes)
        if not digests:
            raise LockError(f"{source}: {match['name']} has no hash")
        requirements.append(
            Requirement(normalise(match["name"]), match["version"], match["marker"] or "", digests)
        )
    return requirements


def read(path: Path) -> list[Requirement]:
    """Reads the lock file at `path`."""
    return parse(path.read_text(encoding="utf-8"), path.name)


def find(lock: list[Requirement], name: str) -> list[Requirement]:
    """All pins of the distribution `name`."""
    return [requirement for requirement in lock if requirement.name == normalise(name)]
