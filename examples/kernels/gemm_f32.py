# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""gemm_f32.cu"""

import numpy as np

from examples.kernels.example import Launch, Out, ceil_div, gemm


def _launch(random: np.random.Generator, m: int, n: int, k: int, beta: float) -> Launch:
    a = random.normal(size=(m, k)).astype(np.float32)
    b = random.normal(size=(k, n)).astype(np.float32)
    c = random.normal(size=(m, n)).astype(np.float32)
    alpha, beta = np.float32(1.25), np.float32(beta)
    product, within = gemm(a, b, 2.0**-24)
    want = alpha * product + beta * c
    # What beta = 0 must not read is not a number.
    start = c if beta else np.full_like(c, np.nan)
    out = Out(want.astype(np.float32), 2 * within + 2.0**-22 * (np.abs(want) + np.abs(c)), start)
    sizes = [np.int32(m), np.int32(n), np.int32(k)]
    grid = (ceil_div(n, 128), ceil_div(m, 128))
    return Launch("gemm_f32", grid, (256,), [*sizes, alpha, a, b, beta, out])


def wide_loads(random: np.random.Generator) -> Launch:
    return _launch(random, 140, 132, 44, 0.5)


def narrow_loads(random: np.random.Generator) -> Launch:
    return _launch(random, 33, 129, 19, 0.0)


EXAMPLES = [wide_loads, narrow_loads]
