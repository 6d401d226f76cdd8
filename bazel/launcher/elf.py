# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Gives an ELF program another dynamic loader and another place to look for its libraries.

A program of a newer distribution runs on an older one if it is started by the newer loader and
finds the newer libraries. Both are named in the program itself, as paths too long for the room that
is there; so a new segment is added at the end of the file that holds the longer names and the
dynamic section that refers to them.

Formats: System V ABI, chapter 5 (program header, dynamic section); 64-bit little-endian only.
"""

from __future__ import annotations

import dataclasses
import struct

from bazel.launcher.errors import LauncherError

_MAGIC = b"\x7fELF\x02\x01"  # 64-bit, little-endian.
_HEADER_SIZE = 64
_PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")
_DYNAMIC_ENTRY = struct.Struct("<qQ")

_PT_LOAD, _PT_DYNAMIC, _PT_INTERP, _PT_NOTE = 1, 2, 3, 4
_PF_WRITE_READ = 6
_DT_NULL, _DT_STRTAB, _DT_STRSZ, _DT_RPATH, _DT_RUNPATH = 0, 5, 10, 15, 29


@dataclasses.dataclass
class _Segment:
    kind: int
    flags: int
    offset: int
    address: int
    physical: int
    file_size: int
    memory_size: int
    alignment: int


def _align(value: int, alignment: int) -> int:
    return -(-value // alignment) * alignment


def _segments(data: bytes) -> tuple[int, list[_Segment]]:
    """Returns where the program headers are, and what they say."""
    if len(data) < _HEADER_SIZE or not data.startswith(_MAGIC):
        raise LauncherError("not a 64-bit little-endian ELF file")
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    if size != _PROGRAM_HEADER.size or table + size * count > len(data):
        raise LauncherError("ELF program headers are damaged")
    return table, [
        _Segment(*_PROGRAM_HEADER.unpack_from(data, table + size * index)) for index in range(count)
    ]


def _file_offset(segments: list[_Segment], address: int) -> int:
    for segment in segments:
        if segment.kind == _PT_LOAD and 0 <= address - segment.address < segment.file_size:
            return segment.offset + address - segment.address
    raise LauncherError(f"ELF address {address:#x} is in no segment")


def interpreter(data: bytes) -> str | None:
    """Returns the dynamic loader that a program names; None if `data` is not such a program."""
    if not data.startswith(_MAGIC):
        return None
    for segment in _segments(data)[1]:
        if segment.kind == _PT_INTERP:
            name = data[segment.offset : segment.offset + segment.file_size]
            return name.rstrip(b"\0").decode("utf-8", errors="replace")
    return None


def relocate(data: bytes, loader: str, library_path: str) -> bytes:
    """Returns the program with another loader and library path.

    The library path is set as DT_RPATH, not DT_RUNPATH: only that one also holds for the libraries
    that the program's libraries need. One that is there already is searched first.

    Args:
        data: a dynamically linked program.
        loader: path of the dynamic loader.
        library_path: folders to look for libraries in, separated by colons.

    Raises:
        LauncherError: `data` is not such a program, or leaves no room for another segment.
    """
    table, segments = _segments(data)
    by_kind = {segment.kind: segment for segment in reversed(segments)}
    for kind, part in (
        (_PT_INTERP, "loader"),
        (_PT_DYNAMIC, "dynamic section"),
        (_PT_NOTE, "note"),
    ):
        if kind not in by_kind:
            raise LauncherError(f"ELF program has no {part}")

    dynamic = by_kind[_PT_DYNAMIC]
    if dynamic.offset + dynamic.file_size > len(data):
        raise LauncherError("ELF dynamic section is damaged")
    entries = []
    for tag, value in _DYNAMIC_ENTRY.iter_unpack(
        data[dynamic.offset : dynamic.offset + dynamic.file_size // 16 * 16]
    ):
        if tag == _DT_NULL:
            break
        entries.append((tag, value))
    values = dict(entries)
    if _DT_STRTAB not in values or _DT_STRSZ not in values:
        raise LauncherError("ELF program has no string table")
    strings_at = _file_offset(segments, values[_DT_STRTAB])
    strings = data[strings_at : strings_at + values[_DT_STRSZ]]

    old_path = b""
    for tag in (_DT_RPATH, _DT_RUNPATH):
        if tag in values:
            old_path = strings[values[tag] :].partition(b"\0")[0]
    path = b":".join(filter(None, (old_path, library_path.encode())))
    name = loader.encode() + b"\0"

    # The new segment: loader's name, strings, dynamic section; in whole pages past all others.
    loads = [segment for segment in segments if segment.kind == _PT_LOAD]
    page = max(segment.alignment for segment in loads)
    offset = _align(len(data), page)
    address = _align(max(segment.address + segment.memory_size for segment in loads), page)
    new_strings = strings + path + b"\0"
    dynamic_at = _align(len(name) + len(new_strings), 16)

    changed = {_DT_STRTAB: address + len(name), _DT_STRSZ: len(new_strings)}
    kept = [
        (tag, changed.get(tag, value))
        for tag, value in entries
        if tag not in (_DT_RPATH, _DT_RUNPATH)
    ]
    new_dynamic = b"".join(
        _DYNAMIC_ENTRY.pack(*entry) for entry in [*kept, (_DT_RPATH, len(strings)), (_DT_NULL, 0)]
    )
    body = (name + new_strings).ljust(dynamic_at, b"\0") + new_dynamic

    by_kind[_PT_INTERP].offset, by_kind[_PT_INTERP].address = offset, address
    by_kind[_PT_INTERP].file_size = by_kind[_PT_INTERP].memory_size = len(name)
    dynamic.offset, dynamic.address = offset + dynamic_at, address + dynamic_at
    dynamic.file_size = dynamic.memory_size = len(new_dynamic)
    for segment in (by_kind[_PT_INTERP], dynamic):
        segment.physical = segment.address

    # Notes describe the build and are not needed to run: the last one's header becomes the new
    # segment's, moved behind the other loads, which must be in order of address.
    note = max(index for index, segment in enumerate(segments) if segment.kind == _PT_NOTE)
    del segments[note]
    last_load = max(index for index, segment in enumerate(segments) if segment.kind == _PT_LOAD)
    segments.insert(
        last_load + 1,
        _Segment(_PT_LOAD, _PF_WRITE_READ, offset, address, address, len(body), len(body), page),
    )

    result = bytearray(data.ljust(offset, b"\0") + body)
    for index, segment in enumerate(segments):
        _PROGRAM_HEADER.pack_into(
            result, table + index * _PROGRAM_HEADER.size, *dataclasses.astuple(segment)
        )
    return bytes(result)
