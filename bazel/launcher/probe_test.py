# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for probe."""

import os
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from bazel.launcher import probe
from bazel.launcher.errors import Unavailable


class VersionOfTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.downloads = self.root / "downloads"
        self.downloads.mkdir()
        patch = mock.patch.dict(os.environ, {"BAZELISK_HOME": str(self.downloads)})
        patch.start()
        self.addCleanup(patch.stop)

    def program(self, body):
        path = self.root / "program"
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return str(path)

    def version(self, body, patience=60.0):
        return probe.version_of(self.program(body), self.root, patience)

    def test_reads_the_version(self):
        self.assertEqual(self.version('[ "$*" = --version ] && echo "bazel 7.7.1"'), "7.7.1")

    def test_words_before_the_version_do_not_matter(self):
        self.assertEqual(self.version("echo WARNING: odd; echo bazel 8.0.0-pre.1"), "8.0.0-pre.1")

    def test_is_asked_in_the_workspace_and_knows_that_it_is_asked(self):
        body = f'[ "$(pwd)" = {self.root} ] && [ -n "${probe.PROBING}" ] && echo bazel 7.7.1'
        self.assertEqual(self.version(body), "7.7.1")

    def test_failure_is_told_with_its_last_words(self):
        body = "echo first >&2; echo could not resolve host >&2; exit 1"
        with self.assertRaisesRegex(Unavailable, "exit code 1: could not resolve host$"):
            self.version(body)

    def test_no_version_is_told(self):
        with self.assertRaisesRegex(Unavailable, "exit code 0: hello$"):
            self.version("echo hello")

    def test_not_a_program(self):
        path = self.root / "data"
        path.write_bytes(b"\0\1\2")
        path.chmod(0o755)
        with self.assertRaisesRegex(Unavailable, "cannot be run"):
            probe.version_of(str(path), self.root)

    def test_one_that_hangs_is_given_up_on(self):
        start = time.monotonic()
        with self.assertRaisesRegex(Unavailable, "no answer to --version within 0.3 s"):
            # It talks all the time, as one that tries again and again.
            self.version("while :; do echo retrying >&2; sleep 0.05; done", patience=0.3)
        self.assertLess(time.monotonic() - start, 30)

    def test_one_that_downloads_is_waited_for(self):
        # Longer than the patience, but never without progress for that long.
        body = (
            "for step in 1 2 3 4 5 6; do\n"
            f"  sleep 1; echo more >>{self.downloads}/bazel\n"
            "done\n"
            "echo bazel 7.7.1"
        )
        self.assertEqual(self.version(body, patience=4.0), "7.7.1")


class BazeliskHomeTest(unittest.TestCase):
    def home(self, platform, **environment):
        environment = {"HOME": "/home/user", **environment}
        with (
            mock.patch.dict(os.environ, environment, clear=True),
            mock.patch("sys.platform", platform),
        ):
            return str(probe.bazelisk_home())

    def test_follows_bazelisk_s_rules(self):
        self.assertEqual(self.home("linux"), "/home/user/.cache/bazelisk")
        self.assertEqual(self.home("linux", XDG_CACHE_HOME="/c"), "/c/bazelisk")
        self.assertEqual(self.home("darwin"), "/home/user/Library/Caches/bazelisk")
        self.assertEqual(self.home("linux", BAZELISK_HOME="/b", XDG_CACHE_HOME="/c"), "/b")


if __name__ == "__main__":
    unittest.main()
