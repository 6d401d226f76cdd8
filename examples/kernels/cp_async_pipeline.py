# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""cp_async_pipeline.cu"""

import ml_dtypes
import numpy as np

from examples.kernels.example import Launch, Out, ceil_div, gemm


def product(random: np.random.Generator) -> Launch:
    m, n, k = 130, 136, 200  # seven tiles through four stages
    a = random.normal(size=(m, k)).astype(ml_dtypes.bfloat16)
    b = random.normal(size=(k, n)).astype(ml_dtypes.bfloat16)
    want, within = gemm(a, b, 2.0**-23)
    sizes = [np.int32(m), np.int32(n), np.int32(k)]
    grid = (ceil_div(n, 128), ceil_div(m, 128))
    arguments = [*sizes, a, b, Out(want.astype(np.float32), within + 2.0**-24 * np.abs(want))]
    return Launch("gemm_bf16_cp_async", grid, (256,), arguments, shared_bytes=65536)


EXAMPLES = [product]
