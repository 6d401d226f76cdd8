# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What embed.py writes compiles to is held in spec_database_test; this is its text."""

import ast
import contextlib
import io
import pathlib
import re
import tempfile
import unittest

import embed


def literal_value(literals: str) -> bytes:
    """The bytes that adjacent C string literals stand for."""
    # For the escapes that embed writes, C and Python agree, but for `\\?`.
    return b"".join(
        ast.literal_eval("b" + line.strip().replace("\\?", "?")) for line in literals.splitlines()
    )


class CStringTest(unittest.TestCase):
    def test_every_byte_survives(self):
        for text in [
            "",
            "plain\n",
            "no newline at the end",
            'quotes " and \\ backslashes\n',
            "trigraphs ??= ??/\n",
            "tab\t, bell\x07 before a digit: \x011\n",
            "grüße, 日本\n",
            "\n\n\n",
        ]:
            self.assertEqual(literal_value(embed.c_string(text)), text.encode("utf-8"), text)

    def test_source_is_plain_ascii(self):
        self.assertTrue(embed.c_string("grüße\x00").isascii())


class MainTest(unittest.TestCase):
    def run_main(self, folder: pathlib.Path, files: list[pathlib.Path]) -> int:
        return embed.main(
            [
                f"--header={folder / 'out.h'}",
                f"--source={folder / 'out.cc'}",
                "--include=some/package/out.h",
                "--function=Files",
                *map(str, files),
            ]
        )

    def test_order_is_by_name_whatever_the_arguments_order(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            files = [folder / "b.txt", folder / "a.txt"]
            for file in files:
                file.write_text(file.name)
            self.assertEqual(self.run_main(folder, files), 0)
            first = (folder / "out.cc").read_bytes()
            self.assertEqual(self.run_main(folder, files[::-1]), 0)
            self.assertEqual((folder / "out.cc").read_bytes(), first)
            self.assertEqual(re.findall(r'\{"(\w\.txt)"', first.decode()), ["a.txt", "b.txt"])
            self.assertNotIn(name, first.decode())

    def test_two_files_of_one_name_are_refused(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "x").mkdir()
            files = [folder / "a.txt", folder / "x" / "a.txt"]
            for file in files:
                file.write_text("")
            with contextlib.redirect_stderr(io.StringIO()) as error:
                self.assertEqual(self.run_main(folder, files), 1)
            self.assertIn("two files of the same name", error.getvalue())


if __name__ == "__main__":
    unittest.main()
