# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What is in the wheels that warpyard_wheel builds."""

import base64
import csv
import hashlib
import io
import zipfile
from pathlib import Path

from absl.testing import absltest
from packaging.metadata import Metadata
from packaging.utils import parse_wheel_filename

_FOLDER = Path(__file__).parent
_INFO = "dotted_example-1.2.0rc1.dist-info"


def wheel_of(target: str) -> Path:
    """The only file in a target's folder."""
    [wheel] = (_FOLDER / target).iterdir()
    return wheel


class WheelTest(absltest.TestCase):
    def setUp(self):
        super().setUp()
        self.wheel = zipfile.ZipFile(wheel_of("dotted_wheel"))
        self.addCleanup(self.wheel.close)

    def test_name(self):
        name, version, _, tags = parse_wheel_filename(wheel_of("dotted_wheel").name)
        self.assertEqual((name, str(version)), ("dotted-example", "1.2.0rc1"))
        for tag in tags:
            self.assertEqual((tag.interpreter, tag.abi), ("cp310", "abi3"))
            # A small library needs nothing that is new.
            self.assertRegex(tag.platform, r"^(manylinux|musllinux)")

    def test_contents(self):
        self.assertEqual(
            self.wheel.namelist(),
            [
                "dotted/__init__.py",
                "dotted/_inner.abi3.so",
                "dotted/_inner.pyi",
                f"{_INFO}/METADATA",
                f"{_INFO}/WHEEL",
                f"{_INFO}/entry_points.txt",
                f"{_INFO}/licenses/LICENSE",
                f"{_INFO}/RECORD",
            ],
        )
        self.assertEqual(self.wheel.read(f"{_INFO}/licenses/LICENSE"), Path("LICENSE").read_bytes())

    def test_record(self):
        rows = list(csv.reader(io.StringIO(self.wheel.read(f"{_INFO}/RECORD").decode())))
        self.assertEqual([row[0] for row in rows], self.wheel.namelist())
        for path, digest, size in rows[:-1]:
            content = self.wheel.read(path)
            expected = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
            self.assertEqual(digest, "sha256=" + expected.decode().rstrip("="))
            self.assertEqual(int(size), len(content))
        self.assertEqual(rows[-1], [f"{_INFO}/RECORD", "", ""])

    def test_metadata(self):
        found = Metadata.from_email(self.wheel.read(f"{_INFO}/METADATA"), validate=True)
        self.assertEqual(found.name, "Dotted.Example")
        self.assertEqual(str(found.version), "1.2.0rc1")
        self.assertEqual(found.summary, "An example.")
        self.assertEqual(found.license_expression, "Apache-2.0")
        self.assertEqual(found.license_files, ["LICENSE"])
        self.assertEqual(str(found.requires_python), ">=3.10")
        self.assertEqual(found.provides_extra, ["more"])
        self.assertIn("# Dotted", found.description)
        needed = {str(requirement) for requirement in found.requires_dist}
        self.assertEqual(
            needed,
            {
                "nanobind-backend<2,>=1.0",
                'numpy>=2; extra == "more"',
                'rich; python_version < "3.12" and extra == "more"',
            },
        )

    def test_wheel_file_says_what_the_name_says(self):
        tag = wheel_of("dotted_wheel").stem.split("-", 2)[2]
        python, abi, platforms = tag.split("-")
        lines = self.wheel.read(f"{_INFO}/WHEEL").decode().splitlines()
        self.assertIn("Root-Is-Purelib: false", lines)
        self.assertEqual(
            [line for line in lines if line.startswith("Tag: ")],
            [f"Tag: {python}-{abi}-{platform}" for platform in platforms.split(".")],
        )

    def test_command(self):
        text = self.wheel.read(f"{_INFO}/entry_points.txt").decode()
        self.assertEqual(text, "[console_scripts]\ndotted = dotted:main\n")

    def test_archive_depends_on_nothing_but_the_files(self):
        self.assertEqual(
            wheel_of("dotted_wheel").read_bytes(), wheel_of("dotted_again").read_bytes()
        )
        for member in self.wheel.infolist():
            self.assertEqual(member.date_time, (1980, 1, 1, 0, 0, 0))
            mode = member.external_attr >> 16 & 0o777
            self.assertEqual(mode, 0o755 if member.filename.endswith(".so") else 0o644)

    def test_wheel_without_extension_modules(self):
        wheel = wheel_of("plain_wheel")
        self.assertEqual(wheel.name, "plain-2-py3-none-any.whl")
        with zipfile.ZipFile(wheel) as archive:
            self.assertIn("plain.py", archive.namelist())
            self.assertIn(b"Root-Is-Purelib: true", archive.read("plain-2.dist-info/WHEEL"))


if __name__ == "__main__":
    absltest.main()
