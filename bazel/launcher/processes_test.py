# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for processes."""

import os
import signal
import tempfile
import threading
import time
import unittest
from pathlib import Path

from bazel.launcher import processes
from bazel.launcher.errors import Interrupted

# Much longer than any test may take: whoever waits for it has failed.
_FOREVER = "600"


def _gone(pid):
    """Says whether a process has ended, waiting a moment for the system to notice."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        # Ended, and only not yet collected by whoever inherited it.
        stat = Path(f"/proc/{pid}/stat")
        try:
            if stat.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.05)
    return False


class RunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def test_gives_exit_code_and_both_outputs(self):
        finished = processes.run(["sh", "-c", "echo out; echo err >&2; exit 3"])
        self.assertEqual(finished, processes.Finished(3, "out\n", "err\n"))

    def test_runs_in_the_folder_with_the_environment(self):
        finished = processes.run(
            ["sh", "-c", "pwd; echo $MARK"],
            cwd=self.folder,
            env={"MARK": "here", "PATH": os.environ["PATH"]},
        )
        self.assertEqual(finished.output, f"{self.folder}\nhere\n")

    def test_reads_no_input(self):
        self.assertEqual(processes.run(["cat"]).output, "")

    def test_a_missing_program_is_an_error_of_the_system(self):
        with self.assertRaises(FileNotFoundError):
            processes.run([str(self.folder / "none")])

    def test_giving_up_ends_the_child_and_what_it_started(self):
        pids = self.folder / "pids"
        script = f"sleep {_FOREVER} & echo $! $$ >{pids}; wait"
        finished = processes.run(["sh", "-c", script], keep_waiting=lambda: not self.written(pids))
        self.assertIsNone(finished.exit_code)
        for pid in self.written(pids):
            self.assertTrue(_gone(pid))

    def test_what_a_finished_child_left_running_is_ended(self):
        pids = self.folder / "pids"
        finished = processes.run(["sh", "-c", f"sleep {_FOREVER} & echo $! >{pids}"])
        self.assertEqual(finished.exit_code, 0)
        self.assertTrue(_gone(self.written(pids)[0]))

    def test_kill_all_ends_the_children_of_other_threads(self):
        pids = self.folder / "pids"
        results = []
        thread = threading.Thread(
            target=lambda: results.append(
                processes.run(["sh", "-c", f"echo $$ >{pids}; exec sleep {_FOREVER}"])
            )
        )
        thread.start()
        while not self.written(pids):
            time.sleep(0.01)
        processes.kill_all()
        thread.join()
        self.assertEqual(results[0].exit_code, -signal.SIGKILL)

    def written(self, file):
        """Returns the numbers in a file once it is whole; none before."""
        text = file.read_text() if file.exists() else ""
        return [int(word) for word in text.split()] if text.endswith("\n") else []


class DeadlineTest(unittest.TestCase):
    def test_says_no_once_over(self):
        self.assertTrue(processes.deadline(600)())
        self.assertFalse(processes.deadline(0)())


class InterruptibleTest(unittest.TestCase):
    def test_each_signal_becomes_an_exception_that_names_it(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            before = signal.getsignal(number)
            with self.subTest(number), self.assertRaises(Interrupted) as caught:
                with processes.interruptible():
                    os.kill(os.getpid(), number)
                    time.sleep(60)
            self.assertEqual(caught.exception.signal_number, number)
            self.assertEqual(signal.getsignal(number), before)

    def test_a_second_signal_does_not_break_off_the_cleaning_up(self):
        cleaned = False
        with self.assertRaises(Interrupted), processes.interruptible():
            try:
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(60)
            finally:
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.05)
                cleaned = True
        self.assertTrue(cleaned)

    def test_a_signal_that_is_switched_off_stays_off(self):
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGHUP, before)
        with processes.interruptible():
            os.kill(os.getpid(), signal.SIGHUP)
            time.sleep(0.05)

    def test_the_child_at_work_is_ended(self):
        with tempfile.TemporaryDirectory() as folder:
            pid_file = Path(folder) / "pid"

            def interrupt():
                if pid_file.exists() and pid_file.read_text().endswith("\n"):
                    os.kill(os.getpid(), signal.SIGTERM)
                return True

            with self.assertRaises(Interrupted), processes.interruptible():
                processes.run(
                    ["sh", "-c", f"echo $$ >{pid_file}; exec sleep {_FOREVER}"],
                    keep_waiting=interrupt,
                )
            self.assertTrue(_gone(int(pid_file.read_text())))


if __name__ == "__main__":
    unittest.main()
