# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Modules, launches, streams, events and graphs on an emulated GPU."""

import contextlib

import ml_dtypes
import numpy as np
from absl.testing import absltest, parameterized

import warpyard

_KERNELS = """\
#include <cuda_fp16.h>
__constant__ float factor[2] = {2.0f, 3.0f};
__device__ int counter = 7;

extern "C" __global__ void saxpy(float a, const float* x, float* y, unsigned long long n) {
  const unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaf(a, x[i], y[i]);
}
extern "C" __global__ void scale(float* x) { x[threadIdx.x] *= factor[threadIdx.x % 2]; }
extern "C" __global__ void count() { atomicAdd(&counter, 1); }

struct Pair { int first; double second; };
extern "C" __global__ void scalars(double* out, char c, short s, Pair pair, __half h, bool b) {
  out[0] = c; out[1] = s; out[2] = pair.first; out[3] = pair.second;
  out[4] = __half2float(h); out[5] = b;
}
extern "C" __global__ void shared(int* out) {
  extern __shared__ int memory[];
  memory[blockDim.x * 1000 + threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = memory[blockDim.x * 1000 + blockDim.x - 1 - threadIdx.x];
}
extern "C" __global__ void ranks(unsigned* out) {
  unsigned rank, size;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  out[blockIdx.x] = size * 100 + rank;
}
// A barrier over the whole grid.
extern "C" __global__ void together(unsigned* arrived, unsigned* out) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    while (*(volatile unsigned*)arrived < gridDim.x) {}
    out[blockIdx.x] = *(volatile unsigned*)arrived;
  }
}
"""


class RuntimeTest(parameterized.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.stack = contextlib.ExitStack()
        (cls.gpu,) = cls.stack.enter_context(warpyard.emulate("h100"))
        cls.module = warpyard.load(_KERNELS, cls.gpu)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.stack.close()
        super().tearDownClass()

    def test_the_kernels_are_listed(self) -> None:
        self.assertEqual(
            self.module.kernels,
            ["count", "ranks", "saxpy", "scalars", "scale", "shared", "together"],
        )
        kernel = self.module["scalars"]
        self.assertEqual([size for _, size in kernel.parameters], [8, 1, 2, 16, 2, 1])
        self.assertGreater(kernel.attributes.max_threads_per_block, 0)

    def test_saxpy_from_every_form_of_code(self) -> None:
        result = warpyard.compile(_KERNELS, ["h100"])["h100"]
        x, y = np.random.default_rng(0).normal(size=(2, 1000)).astype(np.float32)
        for image in (result, result.ptx, result.ptx.encode(), _KERNELS):
            out = self.gpu.array(y)
            kernel = self.gpu.load(image)["saxpy"]
            kernel.launch(4, 256, [2.5, self.gpu.array(x), out, 1000])
            np.testing.assert_allclose(out.numpy(), np.float32(2.5) * x + y, rtol=1e-5, atol=1e-6)
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, "CUBIN is machine code"):
            self.gpu.load(result.cubin)

    def test_scalars_of_all_widths(self) -> None:
        out = self.gpu.zeros(6, "f64")
        pair = np.array((5, 0.25), np.dtype([("first", "i4"), ("second", "f8")], align=True))
        arguments = [out, -3, np.int16(-300), pair.tobytes(), 1.5, True]
        self.module["scalars"].launch(1, 1, arguments)
        np.testing.assert_array_equal(out.numpy(), [-3, -300, 5, 0.25, 1.5, 1])

    def test_variables(self) -> None:
        module = warpyard.load(_KERNELS, self.gpu)
        module["count"].launch(2, 32)
        np.testing.assert_array_equal(module.variable("counter", "s32").numpy(), [7 + 64])
        factor = module.variable("factor", "f32")
        np.testing.assert_array_equal(factor.numpy(), [2, 3])
        factor.copy_from(np.array([10, 20], np.float32))
        data = self.gpu.array(np.ones(4, np.float32))
        module["scale"].launch(1, 4, [data])
        np.testing.assert_array_equal(data.numpy(), [10, 20, 10, 20])
        # Another copy of the module has its own.
        other = warpyard.load(_KERNELS, self.gpu)
        np.testing.assert_array_equal(other.variable("factor", "f32").numpy(), [2, 3])

    def test_dynamic_shared_memory(self) -> None:
        out = self.gpu.zeros(32, "s32")
        self.module["shared"].launch(1, 32, [out], shared_bytes=32 * 1001 * 4)
        np.testing.assert_array_equal(out.numpy(), np.arange(32)[::-1])
        with self.assertRaisesRegex(warpyard.ResourceExhaustedError, "dynamic shared memory"):
            self.module["shared"].launch(1, 32, [out], shared_bytes=300 << 10)

    def test_clusters(self) -> None:
        out = self.gpu.zeros(8, "u32")
        self.module["ranks"].launch(8, 32, [out], cluster=4)
        np.testing.assert_array_equal(out.numpy(), [400, 401, 402, 403] * 2)
        with self.assertRaises(warpyard.Error):
            self.module["ranks"].launch(7, 32, [out], cluster=4)

    def test_cooperative_launch(self) -> None:
        arrived, out = self.gpu.zeros(1, "u32"), self.gpu.zeros(20, "u32")
        self.module["together"].launch(20, 64, [arrived, out], cooperative=True)
        np.testing.assert_array_equal(out.numpy(), [20] * 20)
        with self.assertRaisesRegex(warpyard.ResourceExhaustedError, "COOPERATIVE"):
            self.module["together"].launch(10**6, 64, [arrived, out], cooperative=True)

    @parameterized.parameters(
        ([2000], [1, 1, 1]), ([32, 32, 2], [1, 1, 1]), ([1, 1, 65], [1, 1, 1]), ([1], [1, 1 << 20])
    )
    def test_launches_beyond_limits(self, block: list[int], grid: list[int]) -> None:
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, "the launch of count"):
            self.module["count"].launch(grid, block)
        # The device goes on.
        self.module["count"].launch(1, 1)
        self.gpu.synchronize()

    def test_streams_and_events(self) -> None:
        stream = self.gpu.stream()
        data = self.gpu.zeros(1000)
        ones = self.gpu.array(np.ones(1000, np.float32))
        start = stream.record()
        for _ in range(5):
            self.module["saxpy"].launch(4, 256, [1.0, ones, data, 1000], stream=stream)
        end = stream.record()
        self.assertGreater(end.seconds_since(start), 0)
        self.assertTrue(end.done())
        self.assertTrue(stream.done())
        other = self.gpu.stream(priority=-1)
        other.wait(end)
        np.testing.assert_array_equal(data.numpy(other), np.full(1000, 5))
        self.assertEqual(stream.__cuda_stream__(), (0, stream.handle))

    def test_graphs(self) -> None:
        stream = self.gpu.stream()
        data = self.gpu.zeros(100)
        with stream.capture() as graph:
            for _ in range(3):
                self.module["saxpy"].launch(1, 128, [1.0, data, data, 100], stream=stream)
        self.assertEqual(graph.node_count, 3)
        data.copy_from(np.ones(100, np.float32))
        graph.launch(stream)
        graph.launch(stream)
        np.testing.assert_array_equal(data.numpy(stream), np.full(100, 64))  # doubled six times

    def test_arrays_of_types_that_numpy_lacks(self) -> None:
        host = np.arange(16).astype(ml_dtypes.float8_e4m3fn).reshape(4, 4)
        np.testing.assert_array_equal(self.gpu.array(host).numpy(), host)

    def test_out_of_memory_leaves_the_device_usable(self) -> None:
        with self.assertRaises(warpyard.ResourceExhaustedError):
            self.gpu.empty(1 << 50, "u8")
        self.assertEqual(self.gpu.zeros(3).numpy().sum(), 0)

    @parameterized.parameters(
        (
            ".version 8.0\n.target sm_90\nrubbish",
            warpyard.InvalidArgumentError,
            "rubbish|line 3|3:",
        ),
        (b"\x50\xed\x55\xba rubbish", warpyard.InvalidArgumentError, ""),
    )
    def test_bad_code(self, image: object, error: type[Exception], message: str) -> None:
        with self.assertRaisesRegex(error, message):
            self.gpu.load(image)


if __name__ == "__main__":
    absltest.main()
