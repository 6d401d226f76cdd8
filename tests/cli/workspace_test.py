# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""`bazel run //:warpyard`: the program as Bazel starts it."""

import os
import subprocess

from absl.testing import absltest
from command import SAXPY, CommandTest


class WorkspaceTest(CommandTest):
    def test_paths_resolve_where_the_user_is(self) -> None:
        binary = os.path.abspath(os.environ["WARPYARD_TEST_BINARY"])
        self.write("a/saxpy.cu", SAXPY)
        done = subprocess.run(
            [binary, "compile", "--target", "h100", "saxpy.cu", "-o", "out"],
            env=self.environment(BUILD_WORKING_DIRECTORY=str(self.folder / "a")),
            capture_output=True,
            encoding="utf-8",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("saxpy.cu: saxpy", done.stdout)
        self.assertTrue((self.folder / "a/out/saxpy.sm_90a.cubin").exists())


if __name__ == "__main__":
    absltest.main()
