# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for elf: a real program of this machine is moved onto copies of its own libraries."""

import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from bazel.launcher import elf
from bazel.launcher.errors import LauncherError

# A program that shows which files it was loaded from.
_PROGRAM = Path(shutil.which("cat") or "/bin/cat").resolve()
_NEEDED = re.compile(r"=> (/\S+) \(")


@unittest.skipUnless(sys.platform == "linux", "ELF programs run on Linux")
class RelocateProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        # A name longer than any that a program has room for.
        self.folder = Path(folder.name).resolve() / ("long" * 30)
        self.folder.mkdir()
        self.data = _PROGRAM.read_bytes()
        loader = Path(elf.interpreter(self.data))
        self.loader = Path(shutil.copy(loader, self.folder / loader.name))
        # Asked of the loader itself: `cat` may be one of many names of one program.
        listed = subprocess.run(
            [loader, "--list", _PROGRAM], capture_output=True, text=True, check=True
        ).stdout
        self.libraries = [
            Path(shutil.copy(path, self.folder / Path(path).name))
            for path in _NEEDED.findall(listed)
        ]

    def relocated(self, data=None, name=None, loader=None, path=None):
        program = self.folder / (name or _PROGRAM.name)
        program.write_bytes(
            elf.relocate(data or self.data, str(loader or self.loader), path or str(self.folder))
        )
        program.chmod(0o755)
        return program

    def maps(self, program):
        """Returns the files that the running program has mapped."""
        # The name by which a many-in-one program knows what to be.
        run = subprocess.run(
            ["cat", "/proc/self/maps"], executable=program, capture_output=True, text=True
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        return {line.split()[-1] for line in run.stdout.splitlines() if "/" in line}

    def test_runs_with_the_given_loader_and_libraries(self):
        self.assertTrue(self.libraries)
        mapped = self.maps(self.relocated())
        for path in [self.loader, *self.libraries]:
            self.assertIn(str(path), mapped)
        outside = {path for path in mapped if ".so" in path and str(self.folder) not in path}
        self.assertEqual(outside, set())

    def test_names_the_loader(self):
        program = self.relocated()
        self.assertEqual(elf.interpreter(program.read_bytes()), str(self.loader))

    def test_an_existing_path_is_searched_first(self):
        other = self.folder / "other"
        other.mkdir()
        for library in self.libraries:
            shutil.move(library, other / library.name)
        first = elf.relocate(self.data, str(self.loader), str(other))
        mapped = self.maps(self.relocated(data=first))
        for library in self.libraries:
            self.assertIn(str(other / library.name), mapped)

    def test_the_program_before_is_untouched_inside(self):
        # Only headers change; code and data stay where they were.
        relocated = elf.relocate(self.data, "/loader", "/libraries")
        end_of_headers = struct.unpack_from("<Q", self.data, 32)[0] + 56 * 16
        self.assertEqual(relocated[end_of_headers : len(self.data)], self.data[end_of_headers:])

    def test_same_input_same_bytes(self):
        self.assertEqual(
            elf.relocate(self.data, "/loader", "/a"), elf.relocate(self.data, "/loader", "/a")
        )

    def test_loads_stay_in_order_of_address(self):
        _, segments = elf._segments(elf.relocate(self.data, "/loader", "/libraries"))
        addresses = [segment.address for segment in segments if segment.kind == 1]
        self.assertEqual(addresses, sorted(addresses))
        self.assertEqual(len(segments), struct.unpack_from("<H", self.data, 56)[0])

    def test_damaged_programs_are_refused(self):
        # Cut anywhere in the headers, or with a header that points nowhere: an error, no crash.
        for length in range(0, 1200, 7):
            with self.subTest(length=length), self.assertRaises(LauncherError):
                elf.relocate(self.data[:length], "/loader", "/libraries")


class RefuseTest(unittest.TestCase):
    def test_other_files_have_no_interpreter(self):
        for data in (b"", b"#!/bin/sh\n", b"\x7fELF\x01\x01" + bytes(100)):
            self.assertIsNone(elf.interpreter(data))

    def test_other_files_are_refused(self):
        with self.assertRaisesRegex(LauncherError, "not a 64-bit little-endian ELF"):
            elf.relocate(b"#!/bin/sh\nexit 0\n" + bytes(100), "/loader", "/libraries")

    def test_a_program_without_parts_is_refused_by_their_name(self):
        header = bytearray(64)
        header[:6] = b"\x7fELF\x02\x01"
        struct.pack_into("<Q", header, 32, 64)
        struct.pack_into("<HH", header, 54, 56, 0)
        with self.assertRaisesRegex(LauncherError, "no loader"):
            elf.relocate(bytes(header), "/loader", "/libraries")


if __name__ == "__main__":
    unittest.main()
