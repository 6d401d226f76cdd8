# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""cluster_reduce.cu"""

import numpy as np

from examples.kernels.example import Launch, Out


def rows(random: np.random.Generator) -> Launch:
    count, cols = 6, 5003
    x = random.normal(size=(count, cols)).astype(np.float32)
    wide = x.astype(np.float64)
    out = Out(wide.sum(1).astype(np.float32), 2.0**-19 * np.abs(wide).sum(1))
    return Launch("cluster_reduce_rows_f32", (4, count), (256,), [x, out, np.int32(cols)])


EXAMPLES = [rows]
