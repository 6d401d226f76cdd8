# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The same input gives the same bytes: in any folder, in any process, in parallel."""

import pathlib

from absl.testing import absltest
from command import EXAMPLES, CommandTest

_FILES = ("saxpy.cu", "softmax.cu", "gemm_f16_mma.cu")


class DeterminismTest(CommandTest):
    def _compile(self, name: str, *flags: str) -> dict[str, bytes]:
        """Compiles copies of the examples in a folder `name`, and gives what was written."""
        folder = self.folder / name
        for file in _FILES:
            self.write(f"{name}/{file}", (EXAMPLES / file).read_bytes())
        done = self.run_command(
            "compile", "-t", "sm_80,h100,b200", *_FILES, "-o", "out", *flags, cwd=folder
        )
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return {path.name: path.read_bytes() for path in pathlib.Path(folder / "out").iterdir()}

    def test_folders_processes_and_jobs(self) -> None:
        first = self._compile("a", "--no-cache", "--jobs", "1")
        self.assertLen(first, 3 * 3 * 2)
        self.assertEqual(first, self._compile("some/other/folder", "--no-cache", "--jobs", "2"))

    def test_what_the_cache_gives_is_what_was_compiled(self) -> None:
        fresh = self._compile("a", "--no-cache")
        self.assertEqual(fresh, self._compile("b"))
        self.assertEqual(fresh, self._compile("c"))


if __name__ == "__main__":
    absltest.main()
