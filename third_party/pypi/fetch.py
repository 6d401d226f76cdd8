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

# This runs from the source tree, which stays as it is.
sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent / "private"))

import build_file
import download_cache
import lock_file
import unpack


class FetchError(Exception):
    """A fetch that failed, in one line that says what to do."""


def cause_of(pip_output: str) -> str:
    """The line of pip's output that explains a failure."""
    lines = [line.strip() for line in pip_output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    # Of an index that cannot be reached pip says only that it served no version.
    if broken := re.findall(r"after connection broken by .*?: ([^:]+)'\)': ", pip_output):
        return f"the index cannot be reached: {broken[-1]}"
    if any("HASHES" in line or "Hash mismatch" in line for line in errors):
        return "the file that the index served does not have a pinned hash"
    if errors:
        return errors[0].removeprefix("ERROR:").strip()
    return lines[-1] if lines else "pip gave no reason"


def pip_download(requirements: list[lock_file.Requirement], sdist: bool, into: Path) -> None:
    """Runs `pip download` for `requirements`, whose hashes it must match."""
    names = ", ".join(f"{r.name} {r.version}" for r in requirements)
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
            command, capture_output=True, text=True, env=environment, cwd=into, check=False
        )
    finally:
        os.unlink(requirement_file.name)
    if done.returncode == 0:
        return
    if "No module named pip" in done.stderr:
        raise FetchError(
            f"cannot fetch {names}: {sys.executable} has no pip. Install it (Debian and Ubuntu: "
            "python3-pip python3-venv), or name another Python with WARPYARD_PYTHON."
        )
    raise FetchError(
        f"cannot fetch {names} with {sys.executable} -m pip: {cause_of(done.stdout + done.stderr)}. "
        "Check that `pip download` works on this machine (index, proxy and certificates are "
        "read from pip's configuration), and that a file for this Python and platform exists."
    )


def fetch(requirements: list[lock_file.Requirement], sdist: bool) -> list[Path]:
    """Gives the files of `requirements`, from the cache or from the index."""
    key = download_cache.key(requirements, sdist)
    with download_cache.locked(key) as folder:
        files = download_cache.verified_files(folder, requirements)
        if files is not None:
            return files
        with download_cache.filling(folder) as staging:
            pip_download(requirements, sdist, staging)
    files = download_cache.verified_files(folder, requirements)
    if files is None:
        names = ", ".join(r.name for r in requirements)
        raise FetchError(f"{names}: a downloaded file does not have a pinned hash")
    return files


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
            requirements = lock_file.find(lock, package)
            if not requirements:
                raise FetchError(f"{package} is not pinned in {options.lock.name}")
            archives = fetch(requirements, options.sdist)
            for archive in archives:
                unpack.unpack(archive, options.output, options.strip_prefix)
            if options.drop_build_files:
                build_file.drop(options.output)
            if options.python_library is not None:
                build_file.write(options.output, options.python_library, lock, requirements)
    except (FetchError, lock_file.LockError, unpack.UnpackError) as error:
        print(f"warpyard: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"warpyard: cannot fetch {', '.join(options.package)}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
