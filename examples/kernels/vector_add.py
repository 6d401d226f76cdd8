# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""vector_add.cu"""

import numpy as np

from examples.kernels.example import Launch, Out


def add(random: np.random.Generator) -> Launch:
    n = 10_007  # a tail of three
    a, b = random.normal(size=(2, n)).astype(np.float32)
    return Launch("vector_add_f32", (5,), (256,), [a, b, Out(a + b), np.uint64(n)])


EXAMPLES = [add]
