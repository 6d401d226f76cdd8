# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""gemm_f16_mma.cu"""

import numpy as np

from examples.kernels.example import Launch, ceil_div, gemm, rounded


def product(random: np.random.Generator) -> Launch:
    m, n, k = 150, 140, 72
    a = random.normal(size=(m, k)).astype(np.float16)
    b = random.normal(size=(n, k)).astype(np.float16)
    want, within = gemm(a, b.T, 2.0**-23)
    out = rounded(want, within, np.float16, 2.0**-11)
    sizes = [np.int32(m), np.int32(n), np.int32(k)]
    grid = (ceil_div(n, 128), ceil_div(m, 128))
    return Launch("gemm_f16_mma", grid, (256,), [*sizes, a, b, out])


EXAMPLES = [product]
