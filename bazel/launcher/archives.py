# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Finds, among a machine's apt sources, the archive that packages Bazel.

Only Debian's own archive and Ubuntu's own are taken, through the mirror that the machine names.
Which series of them packages the wanted Bazel is known for Debian; Ubuntu's series are looked at in
turn: the machine's own, then the one in development.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

from bazel.launcher import apt_sources

# Releases of Debian, and the names that stand for one of them.
_DEBIAN_SUITES = frozenset(
    "buster bullseye bookworm trixie forky duke sid "
    "oldoldstable oldstable stable testing unstable".split()
)
# Other pockets of the same archive. Security updates live in an archive of their own.
_POCKET = re.compile(r"-(updates|backports|backports-sloppy|proposed-updates|proposed)$")
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")

# Where Debian packages Bazel 7.7.1, and where GoogleTest 1.12.1.
_DEBIAN_BAZEL_SUITE = "forky"
_DEBIAN_GOOGLETEST_SUITE = "bookworm"

_KEYRINGS = Path("/usr/share/keyrings")


@dataclasses.dataclass(frozen=True)
class Archive:
    """A place to take packages from.

    Attributes:
        distribution: "Debian" or "Ubuntu".
        uri: the machine's mirror of it, credentials included where its sources have them.
        bazel_suite: suite to take Bazel from.
        googletest_suite: suite to take GoogleTest's sources from.
        components: components to look in.
        signed_by: key file or key block that the archive must be signed with; empty where only
            apt's own trusted keys are known.
    """

    distribution: str
    uri: str
    bazel_suite: str
    googletest_suite: str
    components: tuple[str, ...]
    signed_by: str

    def __str__(self) -> str:
        return f"{self.distribution} {self.bazel_suite} ({redact(self.uri)})"


def redact(text: str) -> str:
    """Returns `text` without the credentials of the addresses in it."""
    return _CREDENTIALS.sub("", text)


def _release(suite: str) -> str:
    return _POCKET.sub("", suite)


def _own_key(distribution: str, signed_by: str) -> bool:
    """Says whether an entry's key can be the distribution's own rather than a third party's."""
    if not signed_by or "BEGIN PGP PUBLIC KEY BLOCK" in signed_by:
        return True
    return f"{distribution.lower()}-archive" in signed_by


def _keyring(distribution: str, keyrings: Path) -> str:
    """Returns the file of the distribution's keys; empty where it is not installed."""
    for suffix in ("pgp", "gpg"):
        path = keyrings / f"{distribution.lower()}-archive-keyring.{suffix}"
        if path.is_file():
            return str(path)
    return ""


def _doubt(distribution: str, uri: str, signed_by: str) -> int:
    """Returns how little an entry looks like the archive itself; its signature decides."""
    if f"{distribution.lower()}-archive" in signed_by:
        return 0
    last = uri.rstrip("/").rpartition("/")[2]
    return 1 if last in (distribution.lower(), f"{distribution.lower()}-ports") else 2


def find(
    sources: list[apt_sources.Source], codename: str, keyrings: Path = _KEYRINGS
) -> list[Archive]:
    """Returns the archives to try, the most likely first, each once.

    Args:
        sources: the machine's apt sources.
        codename: release that the machine runs; an Ubuntu archive is recognised by it.
        keyrings: folder of the distributions' keys.
    """
    ranked: list[tuple[tuple[int, int], Archive]] = []
    for source in sources:
        if "main" not in source.components:
            continue
        releases = {_release(suite) for suite in source.suites}
        if releases & _DEBIAN_SUITES:
            distribution = "Debian"
            components: tuple[str, ...] = ("main",)
            suites = [(_DEBIAN_BAZEL_SUITE, _DEBIAN_GOOGLETEST_SUITE)]
        elif codename and codename in releases:
            # Ubuntu keeps what Debian packages in `universe`; `devel` is the series in development.
            distribution = "Ubuntu"
            components = ("main", "universe")
            suites = [(codename, codename), ("devel", "devel")]
        else:
            continue
        if not _own_key(distribution, source.signed_by):
            continue
        signed_by = source.signed_by or _keyring(distribution, keyrings)
        for uri in source.uris:
            if uri.startswith("cdrom:"):
                continue
            doubt = _doubt(distribution, uri, source.signed_by)
            rank = (0 if distribution == "Debian" else 1, doubt)
            ranked += [
                (rank, Archive(distribution, uri.rstrip("/"), *pair, components, signed_by))
                for pair in suites
            ]
    ranked.sort(key=lambda entry: entry[0])
    return list(dict.fromkeys(archive for _, archive in ranked))
