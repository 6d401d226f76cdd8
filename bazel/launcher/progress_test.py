# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for progress."""

import io
import unittest

from bazel.launcher.progress import Progress


class _Terminal(io.StringIO):
    def isatty(self):
        return True


class ProgressTest(unittest.TestCase):
    def test_elsewhere_each_step_is_one_line(self):
        stream = io.StringIO()
        progress = Progress(stream)
        progress.step("fetching")
        progress.update("(1 MB)")
        progress.step("unpacking")
        progress.clear()
        progress.say("done")
        self.assertEqual(stream.getvalue(), "bazelw: fetching\nbazelw: unpacking\nbazelw: done\n")

    def test_a_terminal_s_line_is_rewritten_and_taken_away(self):
        stream = _Terminal()
        progress = Progress(stream)
        progress.step("fetching")
        progress.update("(1 MB)")
        progress.update("(1 MB)")
        progress.say("done")
        lines = stream.getvalue().split("\r")
        self.assertRegex(lines[1], r"^bazelw: \[ *\d+ s\] fetching\x1b\[K$")
        self.assertRegex(lines[2], r"^bazelw: \[ *\d+ s\] fetching \(1 MB\)\x1b\[K$")
        self.assertEqual(lines[-1], "\x1b[Kbazelw: done\n")
        # What does not change is not printed again, unless the second has.
        self.assertLessEqual(len(lines), 5)

    def test_clearing_nothing_prints_nothing(self):
        stream = _Terminal()
        Progress(stream).clear()
        self.assertEqual(stream.getvalue(), "")

    def test_counts_seconds(self):
        self.assertGreaterEqual(Progress(io.StringIO()).seconds, 0)


if __name__ == "__main__":
    unittest.main()
