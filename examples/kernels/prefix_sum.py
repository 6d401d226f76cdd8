# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""prefix_sum.cu"""

import numpy as np

from examples.kernels.example import Launch, Out, ceil_div


def prefix_sum(random: np.random.Generator) -> Launch:
    n = 40 * 2048 + 77  # more tiles than one look-back reads
    x = random.integers(0, 1 << 32, n, dtype=np.uint32)
    blocks = ceil_div(n, 2048)
    state = np.zeros(blocks, np.uint64)
    counter = np.zeros(1, np.uint32)
    out = Out(np.cumsum(x, dtype=np.uint32))
    return Launch("prefix_sum_u32", (blocks,), (256,), [x, out, state, counter, np.uint64(n)])


EXAMPLES = [prefix_sum]
