# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Streams and their widths."""

import io
import os
from unittest import mock

from absl.testing import absltest

from warpyard.cli import terminal


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class TerminalTest(absltest.TestCase):
    def test_a_pipe_is_100_wide_and_plain(self) -> None:
        with mock.patch.dict(os.environ, clear=True):
            self.assertEqual(terminal.width_of(io.StringIO()), 100)
            self.assertEqual(terminal.style_of(io.StringIO())("x", "bold"), "x")

    def test_columns_say_otherwise(self) -> None:
        with mock.patch.dict(os.environ, {"COLUMNS": "64"}, clear=True):
            self.assertEqual(terminal.width_of(io.StringIO()), 64)
        with mock.patch.dict(os.environ, {"COLUMNS": "3"}, clear=True):
            self.assertEqual(terminal.width_of(io.StringIO()), 40)

    def test_colours_on_a_terminal_unless_not_wanted(self) -> None:
        with mock.patch.dict(os.environ, {"TERM": "xterm"}, clear=True):
            self.assertEqual(
                terminal.style_of(_Terminal())("x", "bold", "red"), "\x1b[1;31mx\x1b[0m"
            )
        with mock.patch.dict(os.environ, {"TERM": "xterm", "NO_COLOR": "1"}, clear=True):
            self.assertFalse(terminal.style_of(_Terminal()).colours)
        with mock.patch.dict(os.environ, {"TERM": "dumb"}, clear=True):
            self.assertFalse(terminal.is_terminal(_Terminal()))


if __name__ == "__main__":
    absltest.main()
