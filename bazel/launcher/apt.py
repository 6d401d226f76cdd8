# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Runs apt beside the system's own state, without root.

The machine's apt.conf stays in force, and with it proxies, credentials and certificates. Lists,
caches, sources, pins and the list of installed packages (an empty one) are private. Signatures are
always checked.
"""

from __future__ import annotations

import re
import shlex
import urllib.parse
from collections.abc import Callable, Sequence
from pathlib import Path

from bazel.launcher import apt_sources, processes
from bazel.launcher.archives import Archive, redact
from bazel.launcher.errors import Unavailable

_CONFIGURATION = """\
Dir::State "{folder}/state";
Dir::State::lists "{folder}/state/lists";
Dir::State::status "{folder}/status";
Dir::Cache "{folder}/cache";
Dir::Cache::archives "{folder}/cache/archives";
Dir::Cache::pkgcache "pkgcache.bin";
Dir::Cache::srcpkgcache "srcpkgcache.bin";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "{folder}/sources.list.d";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "{folder}/preferences.d";
APT::Architecture "{architecture}";
APT::Default-Release "";
APT::Install-Recommends "false";
APT::Install-Suggests "false";
// Downloads run as the caller: apt's own user cannot write to the caller's folders.
APT::Sandbox::User "";
// A mirror may be a snapshot that is past its date. The signature is what counts.
Acquire::Check-Valid-Until "false";
Acquire::Check-Date "false";
Acquire::Languages "none";
Acquire::GzipIndexes "false";
Acquire::PDiffs "false";
Acquire::Retries "3";
Acquire::AllowInsecureRepositories "false";
Acquire::AllowWeakRepositories "false";
Acquire::AllowDowngradeToInsecureRepositories "false";
APT::Get::AllowUnauthenticated "false";
// One list that fails fails the update.
APT::Update::Error-Mode "any";
#clear APT::Architectures;
APT::Architectures {{ "{architecture}"; }};
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
"""

_PRINTED_URI = re.compile(r"^'[^']*' (\S+\.deb) (\d+) ", re.MULTILINE)
_FIRST_VERSION = re.compile(r"^Version: (\S+)", re.MULTILINE)
_COMPLAINT = re.compile(r"^(?:E|Err:\d+|W): *(.*)", re.MULTILINE)


def machine_sources() -> list[apt_sources.Source]:
    """Returns the entries of the machine's apt sources, wherever its configuration keeps them."""
    finished = processes.run(
        [
            "apt-config",
            "shell",
            "list",
            "Dir::Etc::sourcelist/f",
            "parts",
            "Dir::Etc::sourceparts/d",
        ]
    )
    values = dict(word.partition("=")[::2] for word in shlex.split(finished.output))
    return apt_sources.read(
        Path(values.get("list") or "/etc/apt/sources.list"),
        Path(values.get("parts") or "/etc/apt/sources.list.d"),
    )


def deb822(archive: Archive, architecture: str) -> str:
    """Returns the sources file for one archive.

    Raises:
        Unavailable: no key is known that the archive must be signed with.
    """
    if not archive.signed_by:
        raise Unavailable(
            f"the keys of {archive.distribution}'s archive are not on this machine; "
            f"install {archive.distribution.lower()}-"
            f"{'archive-' if archive.distribution == 'Debian' else ''}keyring"
        )
    return (
        "Types: deb\n"
        f"URIs: {archive.uri}\n"
        f"Suites: {' '.join(dict.fromkeys([archive.bazel_suite, archive.googletest_suite]))}\n"
        f"Components: {' '.join(archive.components)}\n"
        f"Architectures: {architecture}\n"
        "Targets: Packages\n"
        f"Signed-By: {archive.signed_by}\n"
    )


def _complaint(finished: processes.Finished) -> str:
    """Returns what apt complained of: its errors where it names any, else its last words."""
    output = finished.errors + finished.output
    errors = [line[3:] for line in output.splitlines() if line.startswith("E: ")]
    lines = errors or _COMPLAINT.findall(output) or output.strip().splitlines()[-1:]
    return redact("; ".join(dict.fromkeys(lines)) or f"exit code {finished.exit_code}")


class Apt:
    """apt with private state in one folder, for one archive."""

    def __init__(self, folder: Path, archive: Archive, architecture: str) -> None:
        """Writes the configuration.

        Args:
            folder: where the state goes; created.
            archive: where packages come from.
            architecture: Debian's name of the architecture.

        Raises:
            Unavailable: the folder's name cannot be written in apt's configuration, or the
                archive's keys are not known.
        """
        if '"' in str(folder) or "\n" in str(folder):
            raise Unavailable(f"the cache folder's name has a quote in it: {folder}")
        sources = deb822(archive, architecture)
        for part in (
            "state/lists/partial",
            "cache/archives/partial",
            "sources.list.d",
            "preferences.d",
        ):
            (folder / part).mkdir(parents=True, exist_ok=True)
        (folder / "status").write_text("", encoding="ascii")
        (folder / "sources.list.d" / "archive.sources").write_text(sources, encoding="utf-8")
        self._configuration = folder / "apt.conf"
        self._configuration.write_text(
            _CONFIGURATION.format(folder=folder, architecture=architecture), encoding="utf-8"
        )

    def _run(
        self,
        tool: str,
        *arguments: str,
        cwd: Path | None = None,
        keep_waiting: Callable[[], bool] = lambda: True,
    ) -> str:
        finished = processes.run(
            # The option comes after the machine's own configuration, and so has the last word.
            [tool, f"--config-file={self._configuration}", "-q", *arguments],
            cwd=cwd,
            keep_waiting=keep_waiting,
        )
        if finished.exit_code != 0:
            raise Unavailable(f"{tool} {arguments[0]} failed: {_complaint(finished)}")
        return finished.output

    def update(self) -> None:
        """Fetches the archive's lists and checks their signature.

        Raises:
            Unavailable: a list cannot be had, or is not signed by the archive's key.
        """
        self._run("apt-get", "update")

    def version(self, package: str) -> str:
        """Returns the version of a package that would be taken; empty where there is none."""
        try:
            shown = self._run("apt-cache", "show", "--no-all-versions", package)
        except Unavailable:
            return ""
        match = _FIRST_VERSION.search(shown)
        return match[1] if match else ""

    def closure(self, *packages: str) -> dict[str, int]:
        """Returns what installing the packages on an empty machine would fetch.

        Returns:
            Bytes to fetch by package, as `name=version`.
        """
        printed = self._run("apt-get", "install", "--yes", "--print-uris", *packages)
        sizes = {}
        for file_name, size in _PRINTED_URI.findall(printed):
            name, version, _ = file_name.split("_", 2)
            sizes[f"{name}={urllib.parse.unquote(version)}"] = int(size)
        return sizes

    def download(
        self, packages: Sequence[str], folder: Path, keep_waiting: Callable[[], bool]
    ) -> None:
        """Fetches packages, given as `name=version` or `name/suite`, into a folder.

        Raises:
            Unavailable: one cannot be had, or its hash is not what the signed list says.
        """
        self._run("apt-get", "download", *packages, cwd=folder, keep_waiting=keep_waiting)
