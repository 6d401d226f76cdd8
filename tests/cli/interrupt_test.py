# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Ctrl-C in the middle of --all."""

import os
import signal
import subprocess
import sys
import time

from absl.testing import absltest
from command import EXAMPLES, CommandTest


class InterruptTest(CommandTest):
    def test_stops_says_so_and_leaves_only_whole_files(self) -> None:
        out = self.folder / "out"
        files = sorted(EXAMPLES.glob("*.cu"))
        # A session of its own, so that the signal goes to the whole group, as from a terminal.
        process = subprocess.Popen(
            [sys.executable, "-m", "warpyard", "compile", "--all", "--no-cache", "-o", out, *files],
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        deadline = time.monotonic() + 120
        while len(list(out.glob("*.cubin"))) < 3:
            self.assertIsNone(process.poll(), "it ended before it could be interrupted")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, stderr)
        self.assertNotIn("Traceback", stderr)
        self.assertRegex(stderr, r"warpyard: interrupted: \d+ of \d+ done; what was written")
        self.assertRegex(stdout, r"\d+ compiled, \d+ skipped, 0 failed, \d+ not begun in ")
        self.assert_no_leftovers(out)
        # Every CUBIN that was written has its PTX: a target is written as one.
        for cubin in out.glob("*.cubin"):
            self.assertTrue(cubin.with_suffix(".ptx").exists(), cubin)


if __name__ == "__main__":
    absltest.main()
