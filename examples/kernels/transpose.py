# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""transpose.cu"""

import numpy as np

from examples.kernels.example import Launch, Out, ceil_div


def transpose(random: np.random.Generator) -> Launch:
    batch, rows, cols = 2, 75, 130
    x = random.normal(size=(batch, rows, cols)).astype(np.float32)
    return Launch(
        "transpose_f32",
        (ceil_div(cols, 32), ceil_div(rows, 32), batch),
        (32, 8),
        [x, Out(x.transpose(0, 2, 1)), np.int32(rows), np.int32(cols)],
    )


EXAMPLES = [transpose]
