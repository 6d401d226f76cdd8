# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""top_k.cu"""

import numpy as np

from examples.kernels.example import Launch, Out, ceil_div


def top_k(random: np.random.Generator) -> Launch:
    rows, cols, k = 11, 300, 17
    x = random.normal(size=(rows, cols)).astype(np.float32).round(1)  # so that values repeat
    x[1, ::7] = [np.nan if i % 2 else -np.nan for i in range(len(x[1, ::7]))]
    x[2, :5] = [np.inf, -np.inf, 0.0, -0.0, np.inf]
    bits = x.view(np.uint32)
    # Rising with IEEE 754's totalOrder.
    order = np.where(bits >> 31, ~bits, bits | np.uint32(1 << 31))
    indices = np.argsort(-order.astype(np.int64), axis=1, kind="stable")[:, :k].astype(np.int32)
    values = np.take_along_axis(x, indices, 1)
    return Launch(
        "top_k_f32",
        (ceil_div(rows, 4),),
        (128,),
        [x, Out(values), Out(indices), np.int32(rows), np.int32(cols), np.int32(k)],
    )


EXAMPLES = [top_k]
