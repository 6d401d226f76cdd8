# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Reads apt's source lists: one-line `.list` files and deb822 `.sources` files.

Formats: sources.list(5) of apt.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

# apt ignores files in sources.list.d with any other name.
_FILE_NAME = re.compile(r"^[A-Za-z0-9_.-]+\.(list|sources)$")
_ONE_LINE = re.compile(r"^(?P<type>deb|deb-src)\s+(?:\[(?P<options>[^]]*)\]\s+)?(?P<rest>\S.*)$")


@dataclasses.dataclass(frozen=True)
class Source:
    """One enabled entry that offers binary packages.

    Attributes:
        uris: bases of the archive, as written.
        suites: suites below each base.
        components: components of each suite; empty for a flat archive.
        signed_by: key file, fingerprint or key block that must have signed it; empty where any
            key that apt trusts will do.
    """

    uris: tuple[str, ...]
    suites: tuple[str, ...]
    components: tuple[str, ...]
    signed_by: str = ""


def parse_list(text: str) -> list[Source]:
    """Returns the entries of a one-line style file; what apt would not accept is left out."""
    sources = []
    for line in text.splitlines():
        match = _ONE_LINE.match(line.partition("#")[0].strip())
        if not match or match["type"] != "deb":
            continue
        words = match["rest"].split()
        if len(words) < 2:
            continue
        # An option is name=value; several are separated by blanks.
        options = dict(word.partition("=")[::2] for word in (match["options"] or "").split())
        signed_by = options.get("signed-by", "")
        sources.append(Source((words[0],), (words[1],), tuple(words[2:]), signed_by))
    return sources


def _stanzas(text: str) -> list[dict[str, str]]:
    """Returns the fields of each deb822 stanza, names in lower case, continuation lines joined."""
    stanzas: list[dict[str, str]] = []
    fields: dict[str, str] = {}
    name = ""
    for line in [*text.splitlines(), ""]:
        if line.startswith("#"):
            continue
        if not line.strip():
            if fields:
                stanzas.append(fields)
            fields, name = {}, ""
        elif line[0] in " \t":
            if name:
                fields[name] += "\n" + line.rstrip()
        else:
            name, _, value = line.partition(":")
            name = name.strip().lower()
            fields[name] = value.strip()
    return stanzas


def parse_sources(text: str) -> list[Source]:
    """Returns the enabled binary entries of a deb822 style file."""
    sources = []
    for fields in _stanzas(text):
        if fields.get("enabled", "yes").strip().lower() in ("no", "false", "0", "off"):
            continue
        if "deb" not in fields.get("types", "").split():
            continue
        uris, suites, components = (
            tuple(fields.get(name, "").split()) for name in ("uris", "suites", "components")
        )
        if uris and suites:
            sources.append(Source(uris, suites, components, fields.get("signed-by", "").strip()))
    return sources


def read(source_list: Path, source_parts: Path) -> list[Source]:
    """Returns the entries of a main list file and of a folder of lists, in apt's order."""
    files = [source_list] if source_list.is_file() else []
    if source_parts.is_dir():
        files += sorted(path for path in source_parts.iterdir() if _FILE_NAME.match(path.name))
    sources = []
    for path in files:
        parse = parse_sources if path.suffix == ".sources" else parse_list
        sources += parse(path.read_text(encoding="utf-8", errors="replace"))
    return sources
