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
    hashes: frozenset[str]  # hexadecimal SHA-256, at least one

    @property
    def text(self) -> str:
        """The requirement as pip reads it."""
        marker = f" ; {self.marker}" if self.marker else ""
        hashes = "".join(f" --hash=sha256:{digest}" for digest in sorted(self.hashes))
        return f"{self.name}=={self.version}{marker}{hashes}"


def normalise(name: str) -> str:
    """The canonical form of a distribution name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


# One version, not a range: no wildcard, no list of conditions, no address.
_LINE = re.compile(
    r"^(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)(?P<extras>\[[^\]]*\])?==(?P<version>[A-Za-z0-9.!+_-]+)"
    r"\s*(?:;\s*(?P<marker>.*?))?\s*$"
)
_COMMENT = re.compile(r"(^|\s)#.*$")
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


def parse(text: str, source: str) -> list[Requirement]:
    """Parses the text of a lock file; `source` names it in errors.

    Raises LockError for a line that is not `NAME==VERSION [; MARKER] --hash=...`.
    """
    requirements = []
    joined = re.sub(r"\\\n", " ", text)
    for line in joined.splitlines():
        line = _COMMENT.sub("", line).strip()
        if not line:
            continue
        head, *hashes = line.split("--hash=")
        match = _LINE.match(head.strip())
        if match is None:
            raise LockError(f"{source}: not a pinned requirement: {head.strip()!r}")
        pin = f"{match['name']}=={match['version']}"
        if not hashes:
            raise LockError(f"{source}: {pin} has no hash")
        digests = set()
        for text_of_hash in hashes:
            digest = _DIGEST.fullmatch(text_of_hash.strip())
            if digest is None:
                raise LockError(
                    f"{source}: {pin}: found the hash {text_of_hash.strip()!r}, "
                    "expected sha256: and 64 hexadecimal digits"
                )
            digests.add(digest[1])
        requirements.append(
            Requirement(
                normalise(match["name"]),
                match["version"],
                match["marker"] or "",
                frozenset(digests),
            )
        )
    return requirements


def read(path: Path) -> list[Requirement]:
    """Reads the lock file at `path`; raises LockError, or OSError where there is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise LockError(f"{path.name}: not UTF-8 text: {error}") from error
    return parse(text, path.name)


def find(lock: list[Requirement], name: str) -> list[Requirement]:
    """All pins of the distribution `name`."""
    return [requirement for requirement in lock if requirement.name == normalise(name)]
