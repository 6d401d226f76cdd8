# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Changes the pins of requirements.in, and tells what changed in a lock file."""

from __future__ import annotations

import dataclasses
import re

from lock_file import Requirement, normalise

_PIN = re.compile(
    r"^(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)(?P<extras>\s*\[[^\]]*\])?"
    r"\s*==\s*(?P<version>[A-Za-z0-9.!+_-]+)(?P<rest>\s*(?:[;#].*)?)$"
)
_NAME = re.compile(r"^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_WISH = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?:==(?P<version>[A-Za-z0-9.!+_-]+))?"
)


class WishError(Exception):
    """A package that cannot be updated as asked for."""


@dataclasses.dataclass(frozen=True)
class Wish:
    """A package to update: to `version`, or to the newest that fits where it is empty."""

    name: str  # normalised
    version: str

    @property
    def text(self) -> str:
        """PACKAGE or PACKAGE==VERSION."""
        return f"{self.name}=={self.version}" if self.version else self.name


def parse_wish(text: str) -> Wish:
    """Reads PACKAGE or PACKAGE==VERSION; raises WishError."""
    match = _WISH.fullmatch(text)
    if match is None:
        raise WishError(f"found {text!r}, expected PACKAGE or PACKAGE==VERSION")
    return Wish(normalise(match["name"]), match["version"] or "")


def names(requirements: str) -> set[str]:
    """What the text of requirements.in lists."""
    matches = (_NAME.match(line) for line in requirements.splitlines())
    return {normalise(match[0]) for match in matches if match}


def pinned(requirements: str) -> dict[str, str]:
    """Name and version of what the text of requirements.in pins itself."""
    matches = (_PIN.match(line) for line in requirements.splitlines())
    return {normalise(match["name"]): match["version"] for match in matches if match}


def repin(requirements: str, wishes: list[Wish], lock: list[Requirement]) -> str:
    """The text of requirements.in with the pins that `wishes` ask for.

    Raises WishError for a package that neither has, and for one that is pinned to
    what is locked when no version is named: there is nothing to do.
    """
    locked: dict[str, set[str]] = {}
    for requirement in lock:
        locked.setdefault(requirement.name, set()).add(requirement.version)
    pins, listed = pinned(requirements), names(requirements)
    for wish in wishes:
        if wish.name not in locked and wish.name not in listed:
            raise WishError(
                f"{wish.name} is neither in requirements.in nor in the lock file. "
                "Add it to requirements.in first, with its reason."
            )
        # Where they differ, somebody changed the pin by hand and wants it locked.
        if not wish.version and pins.get(wish.name) in locked.get(wish.name, ()):
            raise WishError(
                f"{wish.name} is pinned to {pins[wish.name]} in requirements.in. "
                f"Say which version it shall be: {wish.name}==VERSION"
            )
    versions = {wish.name: wish.version for wish in wishes}
    lines = requirements.splitlines(keepends=True)
    for index, line in enumerate(lines):
        match = _PIN.match(line)
        if match and (version := versions.get(normalise(match["name"]))):
            lines[index] = line[: match.start("version")] + version + line[match.end("version") :]
    return "".join(lines)


def changes(old: list[Requirement], new: list[Requirement]) -> list[str]:
    """One line for each package whose versions, or markers, differ; sorted by name."""

    def versions(lock: list[Requirement]) -> dict[str, list[str]]:
        result: dict[str, list[str]] = {}
        for r in lock:
            result.setdefault(r.name, []).append(r.version + (f" ({r.marker})" if r.marker else ""))
        return {name: sorted(found) for name, found in result.items()}

    before, after = versions(old), versions(new)
    lines = []
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            was = ", ".join(before.get(name, ["not locked"]))
            now = ", ".join(after.get(name, ["no longer locked"]))
            lines.append(f"{name}: {was} -> {now}")
    return lines
