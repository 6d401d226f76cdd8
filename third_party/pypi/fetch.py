# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Downloads pinned distributions with `pip download` and unpacks them.

Run by the repository rules of this folder with the host's Python, so it uses
the standard library and pip alone. pip does the downloading because it honours
whatever index, mirror, proxy and certificates the machine is configured for.

Downloads are kept, by hash, in a cache that outlives Bazel's output base; every
file is checked against the lock file again each time it is used.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "private"))

import build_file
import download_cache
import lock_file
import unpack


class FetchError(Exception):
    """A fetch that failed, in one line that says what to do."""


def names_of(requirements: list[lock_file.Requirement]) -> str:
    """Names and versions, for messages."""
    return ", ".join(f"{r.name} {r.version}" for r in requirements)


def no_pip(names: str) -> FetchError:
    """What is wrong where this Python has no pip."""
    return FetchError(
        f"cannot fetch {names}: {sys.executable} has no pip. Install it (Debian, Ubuntu: "
        "python3-pip python3-venv), or name another Python with WARPYARD_PYTHON."
    )


def _reason(connection_error: str) -> str:
    """The sentence in the `repr` of a connection error: its last argument, without objects."""
    text = connection_error
    if end := re.search(r"""(['"])\)+$""", text):
        text = text[: end.start()].rpartition(end[1])[2]
    return re.sub(r"^(<[^>]*>|\w*\([^)]*\)): ", "", text)


def cause_of(pip_output: str) -> str:
    """The line of pip's output that explains a failure."""
    lines = [line.strip() for line in pip_output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    if any("HASHES" in line or "Hash mismatch" in line for line in errors):
        return "the file that the index served does not have a pinned hash"
    # Of an index that cannot be reached pip says only that it served no version.
    if broken := re.findall(r"after connection broken by '(.+)': \S+", pip_output):
        return f"the index cannot be reached: {_reason(broken[-1])}"
    if errors:
        return errors[0].removeprefix("ERROR:").strip()
    return lines[-1] if lines else "pip gave no reason"


def pip_download(requirements: list[lock_file.Requirement], sdist: bool, into: Path) -> None:
    """Runs `pip download` for `requirements`, whose hashes it must match."""
    names = names_of(requirements)
    text = "".join(requirement.text + "\n" for requirement in requirements)
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes"]
    command += ["--disable-pip-version-check", "--no-input", "--progress-bar=off"]
    # Only sources or only wheels: a missing wheel must be an error here, not a
    # silent build from source.
    choice = ",".join({r.name: None for r in requirements})
    command += ["--no-binary" if sdist else "--only-binary", choice]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as requirement_file:
        requirement_file.write(text)
    try:
        command += ["--dest", str(into), "--requirement", requirement_file.name]
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        done = subprocess.run(
            command,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env=environment,
            cwd=into,
            check=False,
        )
    finally:
        os.unlink(requirement_file.name)
    if done.returncode == 0:
        return
    if "No module named pip" in done.stderr:
        raise no_pip(names)
    cause = cause_of(done.stdout + done.stderr)
    raise FetchError(
        f"cannot fetch {names} with {sys.executable} -m pip: {cause}. "
        "Check that `pip download` works on this machine (index, proxy and certificates are "
        "read from pip's configuration), and that a file for this Python and platform exists."
    )


def fetch(requirements: list[lock_file.Requirement], sdist: bool) -> list[Path]:
    """Gives the files of `requirements`, from the cache or from the index.

    None when the markers of all of them exclude this machine.
    """
    key = download_cache.key(requirements, sdist)
    with download_cache.locked(key) as folder:
        files = download_cache.verified_files(folder, requirements)
        if files is not None:
            return files
        with download_cache.filling(folder) as staging:
            pip_download(requirements, sdist, staging)
            excluded = not any(staging.iterdir())
        # Also removes the entry of an excluded requirement: an empty one is never kept.
        files = download_cache.verified_files(folder, requirements)
    if files is None and not excluded:
        raise FetchError(
            f"cannot fetch {names_of(requirements)}: a downloaded file does not have a pinned hash"
        )
    return files or []


def install(options: argparse.Namespace, lock: list[lock_file.Requirement], package: str) -> None:
    """Fetches one package and unpacks it as `options` say; raises FetchError."""
    requirements = lock_file.find(lock, package)
    if not requirements:
        raise FetchError(f"cannot fetch {package}: it is not pinned in {options.lock.name}")
    names = names_of(requirements)
    try:
        archives = fetch(requirements, options.sdist)
        # As a Python package it is then an empty one, which is what pip makes of it, too.
        if not archives and options.python_library is None:
            markers = " or ".join(r.marker for r in requirements)
            raise FetchError(f"cannot fetch {names}: it is only for machines with {markers}")
        for archive in archives:
            unpack.unpack(archive, options.output, options.strip_prefix)
        if options.drop_build_files:
            build_file.drop(options.output)
        if options.python_library is not None:
            build_file.write(options.output, options.python_library, lock, requirements)
    except ImportError as error:
        raise no_pip(names) from error
    except (unpack.UnpackError, build_file.MetadataError) as error:
        raise FetchError(f"cannot unpack {names}: {error}") from error
    except OSError as error:
        raise FetchError(f"cannot fetch {names}: {error}") from error


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lock", required=True, type=Path, help="lock file with hashes")
    parser.add_argument("--package", action="append", required=True, help="name in the lock file")
    parser.add_argument("--sdist", action="store_true", help="take the source distribution")
    parser.add_argument("--strip-prefix", default="", help="folder of the archive to keep")
    parser.add_argument(
        "--drop-build-files", action="store_true", help="leave the archive's own BUILD files out"
    )
    parser.add_argument("--output", required=True, type=Path, help="where to unpack")
    parser.add_argument("--python-library", metavar="HUB", help="write a BUILD file for a package")
    options = parser.parse_args(arguments)
    try:
        lock = lock_file.read(options.lock)
        for package in options.package:
            install(options, lock, package)
    except (FetchError, lock_file.LockError, OSError) as error:
        print(f"warpyard: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
