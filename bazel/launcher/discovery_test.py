# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for discovery: the order of the ways to get Bazel, and what is said where none works."""

import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from bazel.launcher import discovery
from bazel.launcher.errors import LauncherError, Unavailable


class ChooseTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.assembled = 0
        patch = mock.patch.dict(os.environ, {"BAZELISK_HOME": str(self.root / "downloads")})
        patch.start()
        self.addCleanup(patch.stop)

    def program(self, name, version=None):
        """Writes a program that says it is a Bazel, or fails where `version` is None."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        says = f"echo bazel {version}" if version else "echo offline >&2; exit 1"
        path.write_text(f"#!/bin/sh\n{says}\n")
        path.chmod(0o755)
        return str(path)

    def assemble(self):
        self.assembled += 1
        return Path("/assembled")

    def cannot_assemble(self):
        raise Unavailable("this is Plan 9 on vax")

    def choose(self, override="", bazelisk="", bazel="", assemble=None):
        request = discovery.Request(
            self.root, "7.7.1", override, {"bazelisk": bazelisk, "bazel": bazel}
        )
        return discovery.choose(request, assemble or self.assemble)

    def test_the_override_comes_first(self):
        named = self.program("named", "7.7.1")
        self.assertEqual(self.choose(named, self.program("bazelisk", "7.7.1")), named)

    def test_the_override_may_be_on_path(self):
        named = self.program("bin/bazel-7", "7.7.1")
        with mock.patch.dict(
            os.environ, {"PATH": f"{self.root}/bin{os.pathsep}{os.environ['PATH']}"}
        ):
            self.assertEqual(self.choose("bazel-7"), named)

    def test_then_bazelisk_then_bazel(self):
        bazelisk, bazel = self.program("bazelisk", "7.7.1"), self.program("bazel", "7.7.1")
        self.assertEqual(self.choose(bazelisk=bazelisk, bazel=bazel), bazelisk)
        self.assertEqual(self.choose(bazelisk=self.program("bazelisk"), bazel=bazel), bazel)
        self.assertEqual(self.choose(bazel=bazel), bazel)
        self.assertEqual(self.assembled, 0)

    def test_then_one_is_assembled(self):
        self.assertEqual(self.choose(), "/assembled")
        wrong = self.program("bazel", "8.0.0")
        self.assertEqual(self.choose(bazelisk=self.program("bazelisk"), bazel=wrong), "/assembled")
        self.assertEqual(self.assembled, 2)

    def test_this_launcher_itself_is_passed_over(self):
        launcher = self.program("bazelw", "7.7.1")
        link = self.root / "bin-bazel"
        link.symlink_to(launcher)
        self.assertEqual(self.choose(bazel=str(link)), "/assembled")

    def test_a_bazelisk_under_both_names_is_asked_once(self):
        bazelisk = self.program("bazelisk")
        log = self.root / "log"
        Path(bazelisk).write_text(f"#!/bin/sh\necho asked >>{log}\nexit 1\n")
        link = self.root / "bazel"
        link.symlink_to("bazelisk")
        with self.assertRaisesRegex(LauncherError, "is the same program as bazelisk"):
            self.choose(bazelisk=bazelisk, bazel=str(link), assemble=self.cannot_assemble)
        self.assertEqual(log.read_text(), "asked\n")

    def test_debian_s_installed_bazel_is_passed_over(self):
        bazel = self.program("usr/bin/bazel", "7.7.1")
        mark = self.root / "usr/share/bazel/bazel_classpath_debian_depends.txt"
        mark.parent.mkdir(parents=True)
        mark.write_text("")
        self.assertEqual(self.choose(bazel=bazel), "/assembled")

    def test_a_wrong_override_is_one_line(self):
        missing = str(self.root / "missing")
        folder = str(self.root)
        for override, words in (
            (missing, f"WARPYARD_BAZEL={missing} is not a program that can be run; set"),
            (folder, f"WARPYARD_BAZEL={folder} is not a program that can be run; set"),
            (self.program("wrong", "6.5.0"), "is Bazel 6.5.0, but .bazelversion asks for 7.7.1; "),
            (self.program("broken"), "exit code 1: offline; set WARPYARD_BAZEL to Bazel 7.7.1"),
        ):
            with self.subTest(override), self.assertRaises(LauncherError) as caught:
                self.choose(override, self.program("bazelisk", "7.7.1"))
            self.assertIn(words, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))
        self.assertEqual(self.assembled, 0)

    def test_where_nothing_works_all_that_was_tried_is_told(self):
        bazelisk, bazel = self.program("bazelisk"), self.program("bazel", "8.0.0")
        with self.assertRaises(LauncherError) as caught:
            self.choose(bazelisk=bazelisk, bazel=bazel, assemble=self.cannot_assemble)
        self.assertEqual(
            str(caught.exception).splitlines()[:5],
            [
                "cannot get Bazel 7.7.1. Tried:",
                "  - $WARPYARD_BAZEL: not set",
                f"  - bazelisk on PATH ({bazelisk}): --version failed with exit code 1: offline",
                f"  - bazel on PATH ({bazel}): is Bazel 8.0.0",
                "  - Debian packages: this is Plan 9 on vax",
            ],
        )
        self.assertIn("Install bazelisk", str(caught.exception))

    def test_an_empty_path_is_told(self):
        with self.assertRaisesRegex(LauncherError, "bazelisk on PATH: none\n.*bazel on PATH: none"):
            self.choose(assemble=self.cannot_assemble)


if __name__ == "__main__":
    unittest.main()
