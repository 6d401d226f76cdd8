# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""`warpyard.compile` with the real compilers."""

import pathlib
import threading
import time
from unittest import mock

from absl.testing import absltest

import warpyard
from warpyard import _compile

_SAXPY = """\
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaf(a, x[i], y[i]);
}
"""

# Takes the compiler a few hundred milliseconds.
_SLOW = """\
extern "C" __global__ void slow(float* x) {
  float v[24];
  for (int i = 0; i < 24; ++i) v[i] = x[i];
#pragma unroll
  for (int i = 0; i < 24; ++i)
#pragma unroll
    for (int j = 0; j < 24; ++j) v[i] = fmaf(v[j], v[i], sinf(v[23 - j]));
  for (int i = 0; i < 24; ++i) x[i] = v[i];
}
"""


class CompileTest(absltest.TestCase):
    def setUp(self) -> None:
        super().setUp()
        cache = self.create_tempdir().full_path
        self.enter_context(mock.patch.dict("os.environ", {"WARPYARD_CACHE_DIR": cache}))
        _compile.get_compiler.cache_clear()

    def test_results_by_the_names_that_were_given(self) -> None:
        b200 = next(gpu for gpu in warpyard.targets() if gpu.name == "b200")
        results = warpyard.compile(
            _SAXPY, ["h100", "sm_80", b200, warpyard.ComputeCapability("12.0"), "h200"]
        )
        self.assertEqual(list(results), ["h100", "sm_80", "b200", "sm_120", "h200"])
        for result in results.values():
            self.assertEqual(result.cubin[:4], b"\x7fELF")
            self.assertLen(result.cubin, result.cubin_size)
            (kernel,) = result.kernels
            self.assertEqual((kernel.name, kernel.spill_load_bytes), ("saxpy", 0))
            self.assertBetween(kernel.registers, 4, 40)
            self.assertGreater(result.duration, 0)
        self.assertIn(".target sm_90a", results["h100"].ptx)
        self.assertIn(".target sm_120", results["sm_120"].ptx)
        self.assertEqual(results["h100"].cubin, results["h200"].cubin)

    def test_a_second_time_it_comes_from_the_cache(self) -> None:
        first = warpyard.compile(_SAXPY, ["h100"])["h100"]
        again = warpyard.compile(_SAXPY, ["h100"])["h100"]
        fresh = warpyard.compile(_SAXPY, ["h100"], cache=False)["h100"]
        self.assertEqual(
            (first.from_cache, again.from_cache, fresh.from_cache), (False, True, False)
        )
        self.assertEqual(first.cubin, again.cubin)
        self.assertEqual(first.cubin, fresh.cubin)

    def test_ptx_of_one_target_compiles_for_later_ones(self) -> None:
        ptx = warpyard.compile(_SAXPY, ["sm_80"])["sm_80"].ptx
        result = warpyard.compile(ptx, ["sm_120"])["sm_120"]
        self.assertEqual(result.kernels[0].name, "saxpy")
        self.assertEqual(result.ptx, "")

    def test_a_path(self) -> None:
        folder = pathlib.Path(self.create_tempdir().full_path)
        (folder / "value.h").write_text("#define VALUE 7\n")
        (folder / "k.cu").write_text(
            '#include "value.h"\nextern "C" __global__ void k(int* x) { *x = VALUE; }\n'
        )
        result = warpyard.compile(folder / "k.cu", ["sm_90"])["sm_90"]
        self.assertIn("7", result.ptx)

    def test_options(self) -> None:
        options = warpyard.CompileOptions(max_registers=24, defines=["N=3"], line_info=True)
        source = 'extern "C" __global__ void k(int* x) { *x = N; }'
        result = warpyard.compile(source, ["sm_90"], options=options)["sm_90"]
        self.assertLessEqual(result.kernels[0].registers, 24)
        self.assertIn(".loc", result.ptx)
        self.assertEqual(options.defines, ["N=3"])

    def test_code_that_does_not_compile(self) -> None:
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, r"my\.cu\(1\): error") as caught:
            warpyard.compile("__global__ void k() { oops; }", ["sm_80", "h100"], name="my.cu")
        self.assertEqual(caught.exception.target, "sm_80")
        self.assertIn("oops", caught.exception.log)

    def test_bytes_that_are_not_text(self) -> None:
        with self.assertRaises(warpyard.InvalidArgumentError):
            warpyard.compile(b"\xff\x00\xfe" * 10, ["sm_80"])

    def test_unknown_things(self) -> None:
        with self.assertRaisesRegex(warpyard.NotFoundError, "h10O"):
            warpyard.compile(_SAXPY, ["h10O"])
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, "nvrtc"):
            warpyard.compile(_SAXPY, ["h100"], provider="gcc")
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, r"expected a list.*\[\.\.\.\]"):
            warpyard.compile(_SAXPY, "h100")
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, "targets: empty"):
            warpyard.compile(_SAXPY, [])
        with self.assertRaises(FileNotFoundError):
            warpyard.compile(pathlib.Path("gone.cu"), ["h100"])

    def test_without_cuda_it_names_the_package(self) -> None:
        empty = self.create_tempdir().full_path
        with mock.patch.dict("os.environ", {"WARPYARD_CUDA_ROOT": empty}):
            with self.assertRaisesRegex(warpyard.NotFoundError, "pip install nvidia-cuda-nvrtc"):
                warpyard.compile(_SAXPY, ["h100"])
        # A failure is not remembered by anybody.
        _compile.get_compiler.cache_clear()
        warpyard.compile(_SAXPY, ["h100"])

    def test_other_threads_run_meanwhile(self) -> None:
        done = threading.Event()

        def work() -> None:
            warpyard.compile(_SLOW, ["h100"])
            done.set()

        thread = threading.Thread(target=work)
        ticks = 0
        thread.start()
        while not done.is_set():
            time.sleep(0.001)
            ticks += 1
        thread.join()
        self.assertGreater(ticks, 5)

    def test_many_threads_get_the_same_bytes(self) -> None:
        cubins: list[bytes] = []

        def work() -> None:
            cubins.append(warpyard.compile(_SAXPY, ["h100"])["h100"].cubin)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLen(cubins, 8)
        self.assertLen(set(cubins), 1)

    def test_provider_names(self) -> None:
        self.assertContainsSubset(["auto", "nvrtc", "nvjitlink"], warpyard.provider_names())


if __name__ == "__main__":
    absltest.main()
