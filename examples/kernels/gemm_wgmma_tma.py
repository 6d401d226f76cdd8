# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""gemm_wgmma_tma.cu"""

import numpy as np

from examples.kernels.example import Launch, Tma, ceil_div, gemm, rounded


def product(random: np.random.Generator) -> Launch:
    m, n, k = 150, 140, 328  # six tiles through four stages
    a = random.normal(size=(m, k)).astype(np.float16)
    b = random.normal(size=(n, k)).astype(np.float16)
    want, within = gemm(a, b.T, 2.0**-23)
    out = rounded(want, within, np.float16, 2.0**-11)
    maps = [Tma(a, (128, 64), 128), Tma(b, (128, 64), 128)]
    sizes = [np.int32(m), np.int32(n), np.int32(k)]
    grid = (ceil_div(n, 128), ceil_div(m, 128))
    return Launch("gemm_wgmma_f16", grid, (384,), [*maps, out, *sizes], shared_bytes=132160)


EXAMPLES = [product]
