# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Faults of kernels as Python exceptions, each in a process of its own: they last."""

import os
import subprocess
import sys

from absl.testing import absltest, parameterized

_SOURCE = """\
#include <cuda_fp16.h>
extern "C" __global__ void out_of_bounds(float* x) {
  x[threadIdx.x + 100] = 1;
}
extern "C" __global__ void misaligned(float* x) {
  *(float*)((char*)x + 2) = 1;
}
extern "C" __global__ void null_pointer(float* x) {
  *(volatile float*)nullptr = 1;
}
extern "C" __global__ void trap(float* x) {
  if (threadIdx.x == 3) __trap();
}
extern "C" __global__ void deep(float* x) {
  extern __shared__ float s[];
  x[0] = s[threadIdx.x + 1000000];
}
"""

_PROGRAM = """\
import pathlib, warpyard
with warpyard.emulate("h100") as (gpu,):
    x = gpu.zeros(100)
    kernel = warpyard.load(pathlib.Path({path!r}))[{kernel!r}]
    kernel.launch(1, 32, [x], **{options!r})
    try:
        gpu.synchronize()
    except warpyard.AbortedError as error:
        print(error)
        print("log:", error.log)
    try:
        gpu.zeros(1).numpy()
    except warpyard.AbortedError as error:
        print("lost")
    # Another machine of the process is not.
    with warpyard.emulate("a100") as (other,):
        print("other:", other.zeros(2).numpy().sum())
"""


class FaultsTest(parameterized.TestCase):
    def _run(self, kernel: str, **options: object) -> str:
        path = self.create_tempfile("faulty.cu", _SOURCE).full_path
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM.format(path=path, kernel=kernel, options=options)],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            timeout=120,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    @parameterized.parameters(
        ("out_of_bounds", "ILLEGAL_ADDRESS, 700", "out-of-bounds write of 4 bytes", 3),
        ("misaligned", "MISALIGNED_ADDRESS, 716", "misaligned", 6),
        ("null_pointer", "ILLEGAL_ADDRESS, 700", "write of 4 bytes at 0x0", 9),
        ("trap", "LAUNCH_FAILED, 719", "trap", 12),
    )
    def test_fault(self, kernel: str, name: str, what: str, line: int) -> None:
        told = self._run(kernel)
        self.assertIn(f"(CUDA_ERROR_{name})", told)
        self.assertRegex(told, what)
        self.assertRegex(told, rf"faulty\.cu:{line}\b")
        self.assertIn(kernel, told)
        self.assertIn("lost", told)
        self.assertIn("other: 0.0", told)

    def test_the_log_has_the_report(self) -> None:
        log = self._run("out_of_bounds").partition("log:")[2]
        self.assertIn("400-byte allocation", log)

    def test_shared_memory(self) -> None:
        self.assertIn("CUDA_ERROR_", self._run("deep", shared_bytes=64))


if __name__ == "__main__":
    absltest.main()
