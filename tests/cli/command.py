# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Runs the command `warpyard` in a process of its own, with a folder and a cache of its own."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

from absl.testing import absltest

EXAMPLES = pathlib.Path("examples/kernels").absolute()

SAXPY = """\
extern "C" __global__ void __launch_bounds__(128)
    saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaf(a, x[i], y[i]);
}
"""

# `%s`: version and target.
PTX = """\
.version %s
.target %s
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b64 %%rd<2>;
  .reg .b32 %%r<2>;
  ld.param.u64 %%rd1, [p];
  mov.u32 %%r1, 7;
  st.global.u32 [%%rd1], %%r1;
  ret;
}
"""


class CommandTest(absltest.TestCase):
    """A test with a folder to work in and a way to run the command there."""

    def setUp(self) -> None:
        super().setUp()
        self.folder = pathlib.Path(self.create_tempdir("work").full_path)
        self.cache = pathlib.Path(self.create_tempdir("cache").full_path)

    def write(self, name: str, text: str | bytes) -> pathlib.Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def environment(self, **changes: str) -> dict[str, str]:
        """That of the test, less what would change the command, plus `changes`."""
        dropped = ("WARPYARD_", "COLUMNS", "NO_COLOR", "BUILD_WORK")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(dropped)}
        own = {
            "PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in sys.path),
            "WARPYARD_CACHE_DIR": str(self.cache),
        }
        return kept | own | changes

    def run_command(
        self,
        *arguments: str | os.PathLike[str],
        env: Mapping[str, str] | None = None,
        cwd: pathlib.Path | None = None,
        before: Callable[[], None] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "warpyard", *arguments],
            cwd=cwd or self.folder,
            env=self.environment(**(env or {})),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            preexec_fn=before,
            timeout=600,
        )
        self.assertNotIn("Traceback", done.stderr, done.stderr)
        return done

    def run_json(self, *arguments: str | os.PathLike[str], code: int = 0, **how: Any) -> Any:
        done = self.run_command(*arguments, "--json", **how)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return json.loads(done.stdout)

    def assert_says(
        self, done: subprocess.CompletedProcess[str], code: int, *patterns: str
    ) -> None:
        """One message on stderr that holds all `patterns`, and the exit code."""
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        messages = [line for line in done.stderr.splitlines() if line.startswith("warpyard")]
        self.assertLen(messages, 1, done.stderr)
        for pattern in patterns:
            self.assertRegex(done.stderr, pattern)

    def assert_no_leftovers(self, folder: pathlib.Path) -> None:
        """Every file in `folder` is whole."""
        for path in folder.rglob("*"):
            if path.is_dir():
                continue
            self.assertIn(path.suffix, (".cubin", ".ptx"), path)
            head = path.read_bytes()[:4]
            if path.suffix == ".cubin":
                self.assertEqual(head, b"\x7fELF", path)
            else:
                self.assertTrue(path.read_text().rstrip().endswith("}"), path)
