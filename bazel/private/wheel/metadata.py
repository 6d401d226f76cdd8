# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The texts of a wheel's .dist-info folder."""

from __future__ import annotations

from pathlib import Path

from description import Description
from packaging.metadata import Metadata
from packaging.requirements import Requirement

_CONTENT_TYPES = {".md": "text/markdown", ".rst": "text/x-rst", ".txt": "text/plain"}


def _with_extra(requirement: str, extra: str) -> str:
    """A requirement that holds only where the extra is asked for."""
    parsed = Requirement(requirement)
    condition = f'extra == "{extra}"'
    if parsed.marker is None:
        return f"{parsed} ; {condition}"
    parsed_marker = str(parsed.marker)
    parsed.marker = None
    return f"{parsed} ; ({parsed_marker}) and {condition}"


def metadata(wheel: Description) -> str:
    """The file METADATA (core metadata 2.4), checked before it is given out."""
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {wheel.distribution}",
        f"Version: {wheel.version}",
        f"Summary: {wheel.summary}",
    ]
    if wheel.license:
        lines.append(f"License-Expression: {wheel.license}")
    lines += [f"License-File: {name}" for name in sorted(wheel.license_files)]
    lines += [f"Classifier: {classifier}" for classifier in wheel.classifiers]
    lines += [f"Project-URL: {label}, {url}" for label, url in sorted(wheel.project_urls.items())]
    lines.append(f"Requires-Python: {wheel.python_requires}")
    lines += [f"Requires-Dist: {Requirement(requirement)}" for requirement in wheel.requires]
    for extra, requirements in sorted(wheel.extras.items()):
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {_with_extra(each, extra)}" for each in requirements]
    body = ""
    if wheel.description_file:
        path = Path(wheel.description_file)
        lines.append(f"Description-Content-Type: {_CONTENT_TYPES[path.suffix]}; charset=UTF-8")
        body = path.read_text(encoding="utf-8")
    text = "\n".join(lines) + "\n\n" + body
    # Raises for whatever an index would refuse.
    Metadata.from_email(text, validate=True)
    return text


def wheel_file(wheel: Description, platform: str) -> str:
    """The file WHEEL."""
    pure = "true" if platform == "any" else "false"
    # A tag may stand for several platforms, with dots between them.
    tags = [f"Tag: {wheel.python_tag}-{wheel.abi_tag}-{each}" for each in platform.split(".")]
    lines = ["Wheel-Version: 1.0", "Generator: warpyard_wheel", f"Root-Is-Purelib: {pure}", *tags]
    return "\n".join(lines) + "\n"


def entry_points(wheel: Description) -> str:
    """The file entry_points.txt; empty where there is no command."""
    if not wheel.console_scripts:
        return ""
    scripts = [f"{name} = {target}" for name, target in sorted(wheel.console_scripts.items())]
    return "[console_scripts]\n" + "\n".join(scripts) + "\n"
