# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""gemm_tcgen05.cu"""

import ml_dtypes
import numpy as np

from examples.kernels.example import Launch, Tma, ceil_div, gemm, rounded


def product(random: np.random.Generator) -> Launch:
    m, n, k = 150, 264, 328  # six tiles through four stages
    a = random.normal(size=(m, k)).astype(ml_dtypes.bfloat16)
    b = random.normal(size=(n, k)).astype(ml_dtypes.bfloat16)
    want, within = gemm(a, b.T, 2.0**-23)
    out = rounded(want, within, ml_dtypes.bfloat16, 2.0**-8)
    maps = [Tma(a, (128, 64), 128), Tma(b, (256, 64), 128)]
    sizes = [np.int32(m), np.int32(n), np.int32(k)]
    grid = (ceil_div(n, 256), ceil_div(m, 128))
    return Launch("gemm_tcgen05_bf16", grid, (192,), [*maps, out, *sizes], shared_bytes=197712)


EXAMPLES = [product]
