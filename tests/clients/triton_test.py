# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Triton's kernels, compiled by Triton, run on emulated GPUs and compared with NumPy."""

from __future__ import annotations

import os
import tempfile
import unittest
from typing import Any

import ml_dtypes
import numpy as np
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

import warpyard
from tests.clients import triton_kernels

_GPUS = ("a100", "h100", "b200")
_TYPES = {
    np.dtype(np.float32): "fp32",
    np.dtype(np.float16): "fp16",
    np.dtype(ml_dtypes.bfloat16): "bf16",
    np.dtype(ml_dtypes.float8_e4m3fn): "fp8e4nv",
    np.dtype(ml_dtypes.float8_e5m2): "fp8e5",
}


def _signature(argument: Any) -> str:
    if isinstance(argument, warpyard.DeviceArray):
        return "*" + _TYPES[argument.dtype]
    return "fp32" if isinstance(argument, float) else "i32"


def launch(
    gpu: warpyard.Device,
    function: Any,
    grid: tuple[int, ...],
    *args: Any,
    warps: int = 4,
    **meta: int,
) -> None:
    """Compiles a Triton function for a GPU, and launches it as Triton's own launcher does."""
    names = function.arg_names
    signature = dict(zip(names, map(_signature, args), strict=False)) | dict.fromkeys(
        meta, "constexpr"
    )
    aligned = {
        (i,): [["tt.divisibility", 16]]
        for i, arg in enumerate(args)
        if isinstance(arg, warpyard.DeviceArray)
    }
    source = ASTSource(fn=function, signature=signature, constexprs=meta, attrs=aligned)
    capability = gpu.compute_capability
    target = GPUTarget("cuda", capability.major * 10 + capability.minor, 32)
    compiled = triton.compile(source, target=target, options={"num_warps": warps})
    kernel = gpu.load(compiled.asm["ptx"])[compiled.metadata.name]
    # Behind its own parameters a kernel has two for scratch memory that none here asks for.
    assert compiled.metadata.global_scratch_size == 0
    kernel.launch(
        grid,
        32 * compiled.metadata.num_warps,
        [*args, None, None],
        shared_bytes=compiled.metadata.shared,
    )
    gpu.synchronize()


class TritonTest(unittest.TestCase):
    """Each kernel on each GPU: the code that Triton generates differs between them."""

    def setUp(self) -> None:
        self.random = np.random.default_rng(0)

    def values(self, *shape: int, dtype: Any = np.float32) -> np.ndarray:
        return self.random.standard_normal(shape).astype(dtype)

    def on_each_gpu(self, check: Any, gpus: tuple[str, ...] = _GPUS) -> None:
        for name in gpus:
            with self.subTest(name), warpyard.emulate(name) as (gpu,):
                check(gpu)

    def test_vector_add(self) -> None:
        x, y = self.values(1000), self.values(1000)

        def check(gpu: warpyard.Device) -> None:
            out = gpu.zeros(1000, "f32")
            launch(
                gpu,
                triton_kernels.vector_add,
                (4,),
                gpu.array(x),
                gpu.array(y),
                out,
                1000,
                BLOCK=256,
            )
            np.testing.assert_array_equal(out.numpy(), x + y)

        self.on_each_gpu(check)

    def test_softmax(self) -> None:
        x = self.values(7, 200)
        powers = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))

        def check(gpu: warpyard.Device) -> None:
            out = gpu.zeros(x.shape, "f32")
            launch(gpu, triton_kernels.softmax, (7,), gpu.array(x), out, 200, 200, BLOCK=256)
            np.testing.assert_allclose(
                out.numpy(), powers / powers.sum(1, keepdims=True), rtol=1e-5
            )

        self.on_each_gpu(check)

    def test_layer_norm(self) -> None:
        x, scale, bias = self.values(5, 300), self.values(300), self.values(300)
        wide = x.astype(np.float64)
        expected = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5)

        def check(gpu: warpyard.Device) -> None:
            out = gpu.zeros(x.shape, "f32")
            launch(
                gpu, triton_kernels.layer_norm, (5,), gpu.array(x), gpu.array(scale),
                gpu.array(bias), out, 300, 300, 1e-5, BLOCK=512,
            )  # fmt: skip
            np.testing.assert_allclose(out.numpy(), expected * scale + bias, rtol=1e-4, atol=1e-4)

        self.on_each_gpu(check)

    def check_matmul(
        self, dtype: Any, out_dtype: Any, tolerance: float, gpus: tuple[str, ...] = _GPUS
    ) -> None:
        m, n, k = 100, 72, 80
        a, b = self.values(m, k, dtype=dtype), self.values(k, n, dtype=dtype)
        expected = a.astype(np.float64) @ b.astype(np.float64)

        def check(gpu: warpyard.Device) -> None:
            out = gpu.array(np.zeros((m, n), out_dtype))
            launch(
                gpu, triton_kernels.matmul, (2, 2), gpu.array(a), gpu.array(b), out,
                m, n, k, k, 1, n, 1, n, M=64, N=64, K=32,
            )  # fmt: skip
            np.testing.assert_allclose(
                out.numpy().astype(np.float64),
                expected,
                rtol=tolerance,
                atol=tolerance * np.sqrt(k),
            )

        self.on_each_gpu(check, gpus)

    def test_matmul_f16(self) -> None:
        self.check_matmul(np.float16, np.float16, 2e-3)

    def test_matmul_bf16(self) -> None:
        self.check_matmul(ml_dtypes.bfloat16, np.float32, 1e-5)

    def test_matmul_f8e4m3(self) -> None:
        # tl.dot of this type begins with Hopper.
        self.check_matmul(ml_dtypes.float8_e4m3fn, np.float32, 1e-5, ("h100", "b200"))

    def test_matmul_f8e5m2(self) -> None:
        self.check_matmul(ml_dtypes.float8_e5m2, np.float32, 1e-5, ("h100", "b200"))

    def test_attention(self) -> None:
        heads, length, width = 2, 128, 64
        q, k, v = (self.values(heads, length, width, dtype=np.float16) for _ in range(3))
        scores = np.einsum("hqd,hkd->hqk", q.astype(np.float64), k.astype(np.float64)) / np.sqrt(
            width
        )
        scores[:, ~np.tri(length, dtype=bool)] = -np.inf
        powers = np.exp(scores - scores.max(2, keepdims=True))
        expected = powers / powers.sum(2, keepdims=True) @ v.astype(np.float64)

        def check(gpu: warpyard.Device) -> None:
            out = gpu.array(np.zeros_like(q))
            launch(
                gpu, triton_kernels.attention, (length // 64, heads),
                *map(gpu.array, (q, k, v)), out,
                1 / np.sqrt(width).item(), length, length * width, ROWS=64, COLUMNS=32, WIDTH=width,
            )  # fmt: skip
            np.testing.assert_allclose(
                out.numpy().astype(np.float64), expected, rtol=5e-3, atol=2e-3
            )

        self.on_each_gpu(check)


if __name__ == "__main__":
    # Triton keeps what it compiled in the home folder, which a test does not have.
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TRITON_CACHE_DIR"] = cache
        unittest.main()
