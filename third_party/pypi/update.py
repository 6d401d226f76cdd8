# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Renews third_party/pypi/requirements_lock.txt from requirements.in.

    ./bazelw run //third_party/pypi:update                     # all that is left open
    ./bazelw run //third_party/pypi:update -- rich             # one, to its newest version
    ./bazelw run //third_party/pypi:update -- nanobind==3.1.0  # one, to this version

uv resolves for every Python and platform at once. It is given the index, proxy
and certificates that pip is configured for. Files change only when all went
well, and only when a pin changes or the hashes of a package that was named do.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import lock_file
import pins
import pip_settings

_FOLDER = "third_party/pypi"
_REQUIREMENTS = "requirements.in"
_LOCK = "requirements_lock.txt"


class UpdateError(Exception):
    """An update that failed, in one line that says what to do."""


def source_folder() -> Path:
    """The folder of the lock file in the source tree that `bazel run` was started in."""
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if not workspace:
        raise UpdateError(
            "BUILD_WORKSPACE_DIRECTORY is not set. "
            "Start it with: ./bazelw run //third_party/pypi:update"
        )
    folder = Path(workspace) / _FOLDER
    for name in (_REQUIREMENTS, _LOCK):
        if not (folder / name).is_file():
            raise UpdateError(f"there is no {_FOLDER}/{name} in the workspace {workspace}")
    return folder


def uv_program() -> str:
    """The uv that the lock file pins."""
    import uv

    folder = Path(uv.__file__).parents[2] / "bin"
    program = shutil.which("uv", path=str(folder))
    if program is None:
        raise UpdateError(f"the package uv has no program in {folder}")
    return program


def pip_configuration() -> dict[str, str]:
    """What this Python's pip is configured for."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env=environment,
        check=False,
    )
    if done.returncode != 0:
        reason = (done.stderr.strip() or "it gave no reason").splitlines()[-1]
        raise UpdateError(f"cannot read pip's configuration with {sys.executable}: {reason}")
    return pip_settings.parse(done.stdout)


def uv_command(program: str, wishes: list[pins.Wish]) -> list[str]:
    """How uv is called, in the folder that holds both files."""
    command = [program, "pip", "compile", "--universal", "--generate-hashes"]
    command += ["--python-version", "3.10", "--python", sys.executable]
    # Nothing of this machine goes into the file; nothing but pip's configuration is read.
    command += ["--no-header", "--no-emit-index-url", "--no-emit-find-links", "--no-config"]
    command += ["--no-python-downloads", "--quiet", "--color", "never"]
    if wishes:
        for wish in wishes:
            command += ["--upgrade-package", wish.text]
    else:
        command.append("--upgrade")
    return [*command, _REQUIREMENTS, "--output-file", _LOCK]


def one_line(text: str) -> str:
    """uv's message without its drawing and its line ends."""
    text = re.sub(r"[\u2500-\u257f\u25b6\u00d7]", " ", text)
    text = " ".join(text.split()).removeprefix("error: ").replace(" cause: ", ": ")
    return text or "it gave no reason"


def resolve(requirements: str, lock: str, wishes: list[pins.Wish], program: str) -> str:
    """The text of the lock file that uv makes of both texts."""
    settings = pip_configuration()
    # uv takes no notice of a file that is not there; pip does.
    if (cert := settings.get("cert")) and not Path(cert).exists():
        raise UpdateError(f"pip is configured for the certificates in {cert}, which is not there")
    environment = pip_settings.uv_environment(settings, os.environ)
    environment.pop("PYTHONPATH", None)
    with tempfile.TemporaryDirectory(prefix="warpyard-update-") as folder:
        (Path(folder) / _REQUIREMENTS).write_text(requirements, encoding="utf-8")
        (Path(folder) / _LOCK).write_text(lock, encoding="utf-8")
        done = subprocess.run(
            uv_command(program, wishes),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env=environment,
            cwd=folder,
            check=False,
        )
        if done.returncode != 0:
            raise UpdateError(f"uv cannot resolve {_REQUIREMENTS}: {one_line(done.stderr)}")
        text = (Path(folder) / _LOCK).read_text(encoding="utf-8")
    for line in text.splitlines():
        if "://" in line or line.startswith("-"):
            raise UpdateError(
                f"uv wrote an address into {_LOCK}, which fits no other machine: {line}"
            )
    return text


def replace(path: Path, text: str) -> None:
    """Writes `path` all at once; leaves the very same text alone."""
    if path.read_text(encoding="utf-8") == text:
        return
    staging = path.with_name(path.name + ".new")
    try:
        with staging.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        shutil.copymode(path, staging)
        os.replace(staging, path)
    finally:
        staging.unlink(missing_ok=True)


def update(folder: Path, wishes: list[pins.Wish], program: str) -> list[str]:
    """Updates both files in `folder`; gives a line for each change."""
    old_requirements = (folder / _REQUIREMENTS).read_text(encoding="utf-8")
    old_lock = (folder / _LOCK).read_text(encoding="utf-8")
    old = lock_file.parse(old_lock, _LOCK)
    requirements = pins.repin(old_requirements, wishes, old)
    lock = resolve(requirements, old_lock, wishes, program)
    new = lock_file.parse(lock, _LOCK)
    lines = pins.changes(old, new)
    named = {wish.name for wish in wishes}
    hashes = {r.name for r in set(new) ^ set(old)} & named
    lines += [f"{name}: hashes" for name in sorted(hashes) if not _mentions(lines, name)]
    # An index that serves fewer files, or comments that move, are no reason to write.
    if lines:
        replace(folder / _LOCK, lock)
    replace(folder / _REQUIREMENTS, requirements)
    return lines


def _mentions(lines: list[str], name: str) -> bool:
    return any(line.startswith(f"{name}: ") for line in lines)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="./bazelw run //third_party/pypi:update --",
        description="Renews the pins and hashes of third_party/pypi/requirements_lock.txt.",
    )
    parser.add_argument(
        "packages",
        nargs="*",
        metavar="PACKAGE[==VERSION]",
        help="what to update; all that requirements.in leaves open when none is named",
    )
    options = parser.parse_args(arguments)
    try:
        wishes = [pins.parse_wish(text) for text in options.packages]
        lines = update(source_folder(), wishes, uv_program())
    except (UpdateError, pins.WishError, lock_file.LockError, OSError) as error:
        print(f"warpyard: cannot update: {error}", file=sys.stderr)
        return 1
    for line in lines:
        print(line)
    if not lines:
        print(f"{_FOLDER}/{_LOCK} is up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
