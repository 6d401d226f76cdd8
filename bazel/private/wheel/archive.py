# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Writes the archive that a wheel is: the same files give the same bytes."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from pathlib import Path

# The oldest time that a zip archive can hold.
_TIME = (1980, 1, 1, 0, 0, 0)
_REGULAR_FILE = 0o100000


def _record_line(path: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
    name = f'"{path}"' if "," in path else path
    return f"{name},sha256={digest.decode()},{len(content)}"


def _mode(path: str) -> int:
    return 0o755 if path.endswith((".so", ".dylib")) else 0o644


def write(output: Path, files: dict[str, bytes], dist_info: str) -> None:
    """Writes `files`, by their paths, and a RECORD of them.

    What is in `dist_info` comes last, as installers and indexes that read from the
    end of an archive like it.
    """
    record = f"{dist_info}/RECORD"
    ordered = sorted(files, key=lambda path: (path.startswith(dist_info + "/"), path))
    lines = [_record_line(path, files[path]) for path in ordered]
    contents = {path: files[path] for path in ordered}
    contents[record] = ("\n".join([*lines, f"{record},,"]) + "\n").encode()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, content in contents.items():
            member = zipfile.ZipInfo(path, _TIME)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3  # Unix, wherever it is built: permissions are Unix's
            member.external_attr = (_REGULAR_FILE | _mode(path)) << 16
            archive.writestr(member, content)
