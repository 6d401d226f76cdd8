# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What a wheel is to be made of, as the rule writes it down."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from packaging.utils import canonicalize_name
from packaging.version import Version


@dataclasses.dataclass(frozen=True)
class Description:
    """One wheel. Files are by their paths in the wheel."""

    distribution: str
    version: str
    summary: str
    python_requires: str
    python_tag: str
    abi_tag: str
    files: dict[str, str]
    requires: list[str] = dataclasses.field(default_factory=list)
    extras: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    classifiers: list[str] = dataclasses.field(default_factory=list)
    console_scripts: dict[str, str] = dataclasses.field(default_factory=dict)
    project_urls: dict[str, str] = dataclasses.field(default_factory=dict)
    license: str = ""
    license_files: dict[str, str] = dataclasses.field(default_factory=dict)
    description_file: str | None = None

    @property
    def stem(self) -> str:
        """`name-version`, escaped as file names of wheels need it."""
        name = canonicalize_name(self.distribution).replace("-", "_")
        return f"{name}-{Version(self.version)}"

    @property
    def dist_info(self) -> str:
        """The folder of what installers read."""
        return f"{self.stem}.dist-info"


def read(path: Path) -> Description:
    """Reads what the rule wrote."""
    return Description(**json.loads(path.read_text(encoding="utf-8")))
