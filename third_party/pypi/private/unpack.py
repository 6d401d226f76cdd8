# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Unpacks wheels and source distributions."""

from __future__ import annotations

import errno
import gzip
import lzma
import re
import shutil
import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO


class UnpackError(Exception):
    """An archive that cannot be unpacked."""


# What the standard library raises for bytes that are not an archive, or no longer one:
# ValueError for names, RuntimeError for encryption and unknown compression.
_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    gzip.BadGzipFile,
    lzma.LZMAError,
    EOFError,
    ValueError,
    RuntimeError,
)
_SDIST_SUFFIXES = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar")


def _destination(name: str, prefix: str) -> PurePosixPath | None:
    """Where the member `name` goes below the output, or None to leave it out."""
    path = PurePosixPath(name)
    # Windows takes `\` and drives for what they are; elsewhere no honest name has them.
    windows = PureWindowsPath(name)
    if path.is_absolute() or windows.anchor or ".." in windows.parts:
        raise UnpackError(f"refusing the archive member {name!r}: it leaves the folder")
    if prefix:
        try:
            path = path.relative_to(prefix)
        except ValueError:
            return None
    return path


def _write(source: IO[bytes], target: Path, executable: bool) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with source, target.open("wb") as sink:
        shutil.copyfileobj(source, sink, 1 << 20)
    if executable:
        target.chmod(0o755)


def _wheel_destination(path: PurePosixPath) -> PurePosixPath:
    """Spreads a wheel's `.data` folder the way an installer does."""
    if not re.fullmatch(r".+\.data", path.parts[0]) or len(path.parts) < 3:
        return PurePosixPath("site-packages") / path
    scheme, rest = path.parts[1], PurePosixPath(*path.parts[2:])
    if scheme in ("purelib", "platlib"):
        return PurePosixPath("site-packages") / rest
    return PurePosixPath("bin" if scheme == "scripts" else scheme) / rest


def _unpack_wheel(archive: Path, output: Path, prefix: str) -> int:
    count = 0
    with zipfile.ZipFile(archive) as wheel:
        for member in wheel.infolist():
            path = _destination(member.filename, prefix)
            if path is None or not path.parts or member.is_dir():
                continue
            target = output / (path if prefix else _wheel_destination(path))
            mode = member.external_attr >> 16
            # Some wheels leave the bit to the installer, which sets it for scripts.
            executable = bool(mode & 0o111) or target.parent.name == "bin"
            _write(wheel.open(member), target, executable)
            count += 1
    return count


def _unpack_sdist(archive: Path, output: Path, prefix: str) -> int:
    count = 0
    with tarfile.open(archive) as source:
        for member in source:
            path = _destination(member.name, "")
            if path is None or not member.isfile() or len(path.parts) < 2:
                continue
            # The first folder is NAME-VERSION, which the pin already says.
            path = _destination(str(PurePosixPath(*path.parts[1:])), prefix)
            if path is None or not path.parts:
                continue
            content = source.extractfile(member)
            assert content is not None
            _write(content, output / path, bool(member.mode & 0o111))
            count += 1
    return count


def unpack(archive: Path, output: Path, prefix: str = "") -> None:
    """Unpacks `archive` below `output`.

    A wheel goes to `output/site-packages` (and its scripts to `output/bin`),
    unless `prefix` picks one of its folders, which then becomes `output`. A
    source distribution goes to `output`, less its first folder and `prefix`.
    Links are left out.

    Raises UnpackError for an archive that is damaged, of another kind, without a
    file under `prefix`, or with a member that would land outside `output`.
    """
    try:
        if archive.suffix == ".whl":
            count = _unpack_wheel(archive, output, prefix)
        elif archive.name.endswith(_SDIST_SUFFIXES):
            count = _unpack_sdist(archive, output, prefix)
        else:
            raise UnpackError(
                f"{archive.name}: expected a wheel (.whl) or one of {', '.join(_SDIST_SUFFIXES)}"
            )
    except _DAMAGE as error:
        raise UnpackError(f"{archive.name} is damaged: {error}") from error
    except OSError as error:
        # A directory of members that points before the file's start.
        if error.errno == errno.EINVAL and error.filename is None:
            raise UnpackError(f"{archive.name} is damaged: {error}") from error
        raise
    if count == 0:
        raise UnpackError(f"{archive.name} holds no file" + (f" under {prefix}/" if prefix else ""))
