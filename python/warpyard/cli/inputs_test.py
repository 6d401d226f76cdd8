# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Reading the files to compile."""

import os
import pathlib

from absl.testing import absltest

from warpyard.cli.inputs import read_files
from warpyard.cli.usage import UsageError


class ReadFilesTest(absltest.TestCase):
    def setUp(self) -> None:
        super().setUp()
        self.folder = pathlib.Path(self.create_tempdir().full_path)

    def _write(self, name: str, text: str = "") -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def test_in_order_and_each_once(self) -> None:
        a, b = self._write("a.cu"), self._write("b.ptx", ".version 8.0")
        files = read_files([b, a, b])
        self.assertEqual([file.path for file in files], [b, a])
        self.assertEqual([file.stem for file in files], ["b", "a"])
        self.assertEqual([file.source.language for file in files], ["ptx", "cuda"])

    def test_requirement(self) -> None:
        path = self._write("a.cu", "// warpyard-requires: sm>=9.0\n")
        self.assertEqual(str(read_files([path])[0].requirement), "sm>=9.0")

    def test_a_wrong_requirement_names_file_and_line(self) -> None:
        path = self._write("a.cu", "\n// warpyard-requires: sm>=\n")
        with self.assertRaisesRegex(UsageError, "a.cu.*line 2"):
            read_files([path])

    def test_a_missing_file_says_where_it_was_looked_for(self) -> None:
        with self.assertRaisesRegex(UsageError, f"gone.cu: .*{os.getcwd()}"):
            read_files(["gone.cu"])

    def test_a_folder(self) -> None:
        with self.assertRaisesRegex(UsageError, "is a folder, expected a file"):
            read_files([str(self.folder)])

    def test_an_endless_file(self) -> None:
        with self.assertRaisesRegex(UsageError, "/dev/zero: larger than"):
            read_files(["/dev/zero"])


if __name__ == "__main__":
    absltest.main()
