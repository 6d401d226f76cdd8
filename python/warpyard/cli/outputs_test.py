# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Files of -o."""

import os
import pathlib
import resource

from absl.testing import absltest

from warpyard import errors
from warpyard.cli import testing as fake
from warpyard.cli.outcome import Unit
from warpyard.cli.outputs import OutputFolder
from warpyard.cli.usage import UsageError


class OutputFolderTest(absltest.TestCase):
    def setUp(self) -> None:
        super().setUp()
        self.folder = pathlib.Path(self.create_tempdir().full_path) / "a" / "b"
        self.file = fake.file()
        self.unit = Unit(self.file, fake.targets("sm_80")[0])

    def test_writes_cubin_and_ptx(self) -> None:
        outcome = fake.compiled(self.unit)
        OutputFolder(str(self.folder), [self.file]).write(outcome)
        self.assertEqual((self.folder / "saxpy.sm_80.cubin").read_bytes(), b"\x7fELF")
        self.assertEqual((self.folder / "saxpy.sm_80.ptx").read_text(), ".version 9.5")
        self.assertEqual(outcome.outputs["cubin"], str(self.folder / "saxpy.sm_80.cubin"))

    def test_writes_nothing_for_a_failure(self) -> None:
        OutputFolder(str(self.folder), [self.file]).write(
            fake.failed(self.unit, errors.InternalError("x"))
        )
        self.assertEmpty(os.listdir(self.folder))

    def test_two_files_of_one_name(self) -> None:
        with self.assertRaisesRegex(UsageError, "a/k.cu and b/k.ptx would both"):
            OutputFolder(str(self.folder), [fake.file("a/k.cu"), fake.file("b/k.ptx")])
        self.assertFalse(self.folder.exists())

    def test_a_file_in_the_place_of_the_folder(self) -> None:
        path = self.create_tempfile("taken").full_path
        with self.assertRaisesRegex(UsageError, "taken: is a file, expected a folder"):
            OutputFolder(path, [self.file])

    def test_a_full_disk_leaves_nothing_half_written(self) -> None:
        folder = OutputFolder(str(self.folder), [self.file])
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, limits)
        with self.assertRaisesRegex(errors.ResourceExhaustedError, "saxpy.sm_80.cubin"):
            folder.write(fake.compiled(self.unit, cubin=b"x" * 1000))
        self.assertEmpty(os.listdir(self.folder))


if __name__ == "__main__":
    absltest.main()
