# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for lock, between real processes."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from bazel.launcher import lock

_ROOT = Path(lock.__file__).parents[2]

# Takes the lock, says so, and holds it until its standard input ends.
_HOLDER = """
import sys
from pathlib import Path
from bazel.launcher import lock
with lock.hold(Path(sys.argv[1]), lambda holder: print("waits for", holder, flush=True)):
    print("holds", flush=True)
    sys.stdin.read()
print("done", flush=True)
"""


class HoldTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "lock"

    def start(self):
        process = subprocess.Popen(
            [sys.executable, "-c", _HOLDER, self.file],
            env={**os.environ, "PYTHONPATH": str(_ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.kill)
        return process

    def test_the_second_waits_for_the_first(self):
        first = self.start()
        self.assertEqual(first.stdout.readline(), "holds\n")
        second = self.start()
        self.assertEqual(second.stdout.readline(), f"waits for {first.pid}\n")
        self.assertIsNone(second.poll())
        first.stdin.close()
        self.assertEqual(first.stdout.readline(), "done\n")
        self.assertEqual(second.stdout.readline(), "holds\n")

    def test_a_killed_holder_lets_go(self):
        first = self.start()
        self.assertEqual(first.stdout.readline(), "holds\n")
        first.send_signal(signal.SIGKILL)
        first.wait()
        with lock.hold(self.file, lambda holder: self.fail(f"waited for {holder}")):
            self.assertEqual(self.file.read_text(), str(os.getpid()))

    def test_an_exception_lets_go(self):
        with self.assertRaises(KeyError), lock.hold(self.file, self.fail):
            raise KeyError
        with lock.hold(self.file, self.fail):
            pass

    def test_an_exception_ends_the_wait(self):
        first = self.start()
        self.assertEqual(first.stdout.readline(), "holds\n")

        def stop(holder):
            raise InterruptedError(holder)

        start = time.monotonic()
        with self.assertRaisesRegex(InterruptedError, str(first.pid)), lock.hold(self.file, stop):
            self.fail("got the lock that another process holds")
        self.assertLess(time.monotonic() - start, 30)


if __name__ == "__main__":
    unittest.main()
