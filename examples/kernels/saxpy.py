# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""saxpy.cu"""

import numpy as np

from examples.kernels.example import Launch, Out, ceil_div


def saxpy(random: np.random.Generator) -> Launch:
    n = 3001
    a = np.float32(1.7)
    x, y = random.normal(size=(2, n)).astype(np.float32)
    # The product of two float32 is exact in float64, and the sum nearly: one rounding, as fmaf.
    want = (np.float64(a) * x + y).astype(np.float32)
    out = Out(want, np.abs(want) * 2**-23, start=y)
    return Launch("saxpy", (ceil_div(n, 256),), (256,), [a, x, out, np.uint64(n)])


EXAMPLES = [saxpy]
