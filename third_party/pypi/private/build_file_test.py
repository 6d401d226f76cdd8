# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for build_file."""

import ast
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import build_file
from lock_file import Requirement

LOCK = [
    Requirement(name, "1.0", "", frozenset({"a" * 64}))
    for name in ("some", "a-b", "colorama", "tomli", "typing-extensions", "socks")
]
NAMES = {requirement.name for requirement in LOCK}


def metadata(*requirements):
    lines = ["Metadata-Version: 2.1", "Name: some", "Version: 1.0"]
    lines += [f"Requires-Dist: {requirement}" for requirement in requirements]
    return "\n".join(lines) + "\n\nRequires-Dist: not-a-header\n"


class DependenciesTest(unittest.TestCase):
    def test_names_are_normalised_and_sorted(self):
        text = metadata("typing_extensions>=4.0", "A.B[x] (>=1)")
        self.assertEqual(build_file.dependencies(text, NAMES), ["a-b", "typing-extensions"])

    def test_markers_are_those_of_this_machine(self):
        text = metadata(
            f"a-b; sys_platform == '{sys.platform}'",
            f"colorama; sys_platform != '{sys.platform}'",
            "tomli; python_version < '3.0'",
            "typing-extensions; python_version >= '3.0'",
        )
        self.assertEqual(build_file.dependencies(text, NAMES), ["a-b", "typing-extensions"])

    def test_extras_are_not_asked_for(self):
        text = metadata("socks; extra == 'socks'", "a-b; extra == 'x' or python_version >= '3'")
        self.assertEqual(build_file.dependencies(text, NAMES), ["a-b"])

    def test_only_what_is_locked(self):
        self.assertEqual(build_file.dependencies(metadata("elsewhere", "a-b"), NAMES), ["a-b"])

    def test_none(self):
        self.assertEqual(build_file.dependencies(metadata(), NAMES), [])

    def test_unreadable_requirement(self):
        with self.assertRaisesRegex(build_file.MetadataError, "cannot read the requirement '!!'"):
            build_file.dependencies(metadata("!!"), NAMES)


class ModuleTest(unittest.TestCase):
    def test_import_needs_no_pip(self):
        # Else fetch.py could not say that it is pip that is missing.
        program = "import sys; sys.modules['pip'] = None; import build_file"
        path = str(Path(build_file.__file__).parent)
        done = subprocess.run(
            [sys.executable, "-c", f"import sys; sys.path.insert(0, {path!r}); {program}"],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.output = Path(folder.name)

    def put(self, name, text=""):
        path = self.output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def build(self, name="some"):
        pins = [requirement for requirement in LOCK if requirement.name == name]
        build_file.write(self.output, "hub", LOCK, pins)
        return (self.output / "BUILD.bazel").read_text(encoding="utf-8")

    def test_drop(self):
        self.put("BUILD")
        self.put("x/BUILD.bazel")
        self.put("x/y/BUILD")
        self.put("x/BUILD.md")
        self.put("BUILD.gn/BUILD/a.py")
        build_file.drop(self.output)
        left = {p.relative_to(self.output).as_posix() for p in self.output.rglob("*")}
        self.assertEqual(
            left, {"x", "x/y", "x/BUILD.md", "BUILD.gn", "BUILD.gn/BUILD", "BUILD.gn/BUILD/a.py"}
        )

    def test_write(self):
        self.put(
            "site-packages/some-1.0.dist-info/METADATA",
            metadata("typing-extensions", "a-b", "some[x]", "tomli; python_version < '3.0'"),
        )
        text = self.build()
        # BUILD files are a subset of Python.
        ast.parse(text)
        self.assertIn('name = "some"', text)
        self.assertIn('deps = ["@hub//:a_b", "@hub//:typing_extensions"],', text)

    def test_write_without_metadata(self):
        text = self.build("a-b")
        self.assertIn('name = "a_b"', text)
        self.assertIn("deps = [],", text)

    def test_write_reads_metadata_in_any_encoding(self):
        path = self.output / "site-packages/some-1.0.dist-info/METADATA"
        path.parent.mkdir(parents=True)
        path.write_bytes(b"Author: Andr\xe9\nRequires-Dist: a-b\n\n")
        self.assertIn('"@hub//:a_b"', self.build())

    def test_write_leaves_one_bazel_package(self):
        self.put("site-packages/some/BUILD")
        text = self.build()
        found = [p.relative_to(self.output).as_posix() for p in self.output.rglob("BUILD*")]
        self.assertEqual(found, ["BUILD.bazel"])
        self.assertEqual(len(re.findall(r"^py_library\(", text, re.MULTILINE)), 1)


if __name__ == "__main__":
    unittest.main()
