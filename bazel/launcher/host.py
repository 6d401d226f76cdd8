# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What machine this is, in the words of Debian's archive."""

from __future__ import annotations

import dataclasses
import platform
import shutil
from pathlib import Path

from bazel.launcher.errors import Unavailable

_OS_RELEASE = Path("/etc/os-release")

# machine -> (Debian architecture, library folder below usr/lib, dynamic loader in it). The names
# are those of Debian's multiarch tuples and of glibc's shlib-versions.
_ARCHITECTURES = {
    "x86_64": ("amd64", "x86_64-linux-gnu", "ld-linux-x86-64.so.2"),
    "aarch64": ("arm64", "aarch64-linux-gnu", "ld-linux-aarch64.so.1"),
}

_TOOLS = ("apt-get", "apt-cache", "apt-config", "dpkg-deb")


@dataclasses.dataclass(frozen=True)
class Host:
    """A Debian or Ubuntu machine.

    Attributes:
        codename: release of the distribution, such as "bookworm" or "noble"; empty where unknown.
        architecture: Debian's name of the architecture.
        multiarch: folder of the architecture's libraries below usr/lib.
        loader: file name of the dynamic loader in that folder.
    """

    codename: str
    architecture: str
    multiarch: str
    loader: str


def parse_os_release(text: str) -> dict[str, str]:
    """Returns the assignments of an os-release file; quotes are taken off, other lines ignored."""
    values = {}
    for line in text.splitlines():
        name, found, value = line.strip().partition("=")
        if found and not name.startswith("#"):
            values[name] = value.strip().strip("\"'")
    return values


def describe(release: dict[str, str], system: str, machine: str) -> str:
    """Returns this machine's operating system and processor in words, for messages."""
    return f"{release.get('PRETTY_NAME') or system} on {machine}"


def detect(os_release: Path = _OS_RELEASE) -> Host:
    """Returns this machine.

    Raises:
        Unavailable: it is not Debian or Ubuntu on x86-64 or arm64, or apt is not there.
    """
    release = {}
    if os_release.is_file():
        release = parse_os_release(os_release.read_text(encoding="utf-8", errors="replace"))
    system, machine = platform.system(), platform.machine()
    family = {release.get("ID", ""), *release.get("ID_LIKE", "").split()}
    if system != "Linux" or not family & {"debian", "ubuntu"} or machine not in _ARCHITECTURES:
        raise Unavailable(
            f"this is {describe(release, system, machine)}; "
            "it works on Debian and Ubuntu, on x86_64 and aarch64"
        )
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if missing:
        raise Unavailable(f"not found on PATH: {', '.join(missing)}")
    codename = release.get("UBUNTU_CODENAME") or release.get("VERSION_CODENAME", "")
    return Host(codename, *_ARCHITECTURES[machine])
