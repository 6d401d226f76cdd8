# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The command on a terminal: a bar while it works, colours, lines that fit."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from concurrent.futures import ThreadPoolExecutor

from absl.testing import absltest
from command import SAXPY, CommandTest

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class TerminalTest(CommandTest):
    def _run_on_terminal(self, *arguments: str, columns: int) -> tuple[int, str, str]:
        """Exit code, and what the terminals of stdout and of stderr got."""
        terminals = [pty.openpty(), pty.openpty()]
        for _, ours in terminals:
            fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        process = subprocess.Popen(
            [sys.executable, "-m", "warpyard", *arguments],
            cwd=self.folder,
            env=self.environment(TERM="xterm-256color"),
            stdin=subprocess.DEVNULL,
            stdout=terminals[0][1],
            stderr=terminals[1][1],
        )
        # Both at a time: a terminal that nobody reads makes the command wait.
        with ThreadPoolExecutor(2) as pool:
            for _, ours in terminals:
                os.close(ours)
            stdout, stderr = pool.map(_read_all, [theirs for theirs, _ in terminals])
        return process.wait(), stdout, stderr

    def test_a_bar_then_the_matrix_in_colours(self) -> None:
        self.write("saxpy.cu", SAXPY)
        code, stdout, stderr = self._run_on_terminal("compile", "--all", "saxpy.cu", columns=60)
        self.assertEqual(code, 0, stderr)
        self.assertIn("Compiling", stderr)
        self.assertRegex(_CONTROL.sub("", stderr), r"\d+/13")
        self.assertIn("\x1b[1m", stdout)
        matrix = _CONTROL.sub("", stdout).split("\n\nsm_75: ")[0]
        self.assertLessEqual(max(map(len, matrix.splitlines())), 60)

    def test_targets(self) -> None:
        code, stdout, stderr = self._run_on_terminal("targets", columns=80)
        self.assertEqual((code, stderr), (0, ""))
        table = _CONTROL.sub("", stdout).split("\n\n")[0]
        self.assertLessEqual(max(map(len, table.splitlines())), 80)
        self.assertNotIn("…", table)


def _read_all(terminal: int) -> str:
    """Everything up to the end, which Linux reports as an error when the other side closes."""
    data = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            part = b""
        if not part:
            os.close(terminal)
            return data.decode()
        data += part


if __name__ == "__main__":
    absltest.main()
