# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Unpacks wheels and source distributions."""

from __future__ import annotations

import re
import shutil
import tarfile
import zipfile
from pathlib import Path, PurePosixPath


class UnpackError(Exception):
    """An archive that cannot be unpacked."""


def _destination(name: str, prefix: str) -> PurePosixPath | None:
    """Where the member `name` goes below the output, or None to leave it out."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise UnpackError(f"refusing the archive member {name!r}: it leaves the folder")
    if prefix:
        try:
            path = path.relative_to(prefix)
        except ValueError:
            return None
    return path


def _wheel_destination(path: PurePosixPath) -> PurePosixPath:
    """Spreads a wheel's `.data` folder the way an installer does."""
    if not re.fullmatch(r".+\.data", path.parts[0]) or len(path.parts) < 3:
        return PurePosixPath("site-packages") / path
    scheme, rest = path.parts[1], PurePosixPath(*path.parts[2:])
    if scheme in ("purelib", "platlib"):
        return PurePosixPath("site-packages") / rest
    return PurePosixPath("bin" if scheme == "scripts" else scheme) / rest


def _unpack_wheel(archive: Path, output: Path, prefix: str) -> None:
    with zipfile.ZipFile(archive) as wheel:
        for member in wheel.infolist():
            path = _destination(member.filename, prefix)
            if path is None or member.is_dir():
                continue
            target = output / (path if prefix else _wheel_destination(path))
            target.parent.mkdir(parents=True, exist_ok=True)
            with wheel.open(member) as source, target.open("wb") as sink:
                shutil.copyfileobj(source, sink, 1 << 20)
            mode = member.external_attr >> 16
            if mode & 0o111 or target.parent.name == "bin":
                target.chmod(0o755)


def _unpack_sdist(archive: Path, output: Path, prefix: str) -> None:
    with tarfile.open(archive) as source:
        for member in source:
            path = _destination(member.name, "")
            if path is None or not member.isfile() or len(path.parts) < 2:
                continue
            # The first folder is NAME-VERSION, which the pin already says.
            path = _destination(str(PurePosixPath(*path.parts[1:])), prefix)
            if path is None:
                continue
            target = output / path
            target.parent.mkdir(parents=True, exist_ok=True)
            content = source.extractfile(member)
            assert content is not None
            with content, target.open("wb") as sink:
                shutil.copyfileobj(content, sink, 1 << 20)
            if member.mode & 0o111:
                target.chmod(0o755)


def unpack(archive: Path, output: Path, prefix: str = "") -> None:
    """Unpacks `archive` below `output`.

    A wheel goes to `output/site-packages` (and its scripts to `output/bin`),
    unless `prefix` picks one of its folders, which then becomes `output`. A
    source distribution goes to `output`, less its first folder and `prefix`.
    """
    try:
        if archive.suffix == ".whl":
            _unpack_wheel(archive, output, prefix)
        else:
            _unpack_sdist(archive, output, prefix)
    except (zipfile.BadZipFile, tarfile.TarError) as error:
        raise UnpackError(f"{archive.name} is damaged: {error}") from error
