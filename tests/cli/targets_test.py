# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""`warpyard targets`, and the command itself."""

import json

from absl.testing import absltest
from command import CommandTest

import warpyard


class TargetsTest(CommandTest):
    def test_table(self) -> None:
        done = self.run_command("targets", env={"COLUMNS": "80"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        table, _, notes = done.stdout.partition("\n\n")
        lines = table.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertEqual(
            [line.split()[0] for line in lines[2:]], [gpu.name for gpu in warpyard.targets()]
        )
        h100 = next(line for line in lines if line.startswith("h100 "))
        self.assertEqual(
            h100.split(),
            ["h100", "sm_90a", "Hopper", "132", "80", "GiB", "HBM3", "3350", "GB/s", "50", "MiB"],
        )
        self.assertIn("v100 is compiled for by CUDA 9.0 to 12.9 alone", notes)

    def test_json(self) -> None:
        done = self.run_command("targets", "--json")
        devices = {device["name"]: device for device in json.loads(done.stdout)}
        self.assertEqual(devices["h100"]["generation"]["native_target"], "sm_90a")
        self.assertEqual(devices["h100"]["memory_bytes"], 80 << 30)
        self.assertNotEmpty(devices["h100"]["sources"])

    def test_needs_no_toolkit(self) -> None:
        done = self.run_command("targets", env={"WARPYARD_CUDA_ROOT": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)


class CommandLineTest(CommandTest):
    def test_version(self) -> None:
        done = self.run_command("--version")
        self.assertEqual((done.returncode, done.stdout), (0, f"warpyard {warpyard.__version__}\n"))

    def test_help(self) -> None:
        for arguments in (["--help"], ["compile", "--help"], ["targets", "--help"]):
            done = self.run_command(*arguments)
            self.assertEqual(done.returncode, 0)
            self.assertIn("usage: warpyard", done.stdout)

    def test_a_reader_that_has_seen_enough_is_no_error(self) -> None:
        self.create_tempdir()
        done = self.run_command("targets", "--json", before=_close_stdout)
        self.assertNotIn("Exception", done.stderr)


def _close_stdout() -> None:
    import os

    reading, writing = os.pipe()
    os.close(reading)
    os.dup2(writing, 1)


if __name__ == "__main__":
    absltest.main()
