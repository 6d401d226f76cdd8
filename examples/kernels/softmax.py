# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""softmax.cu"""

import numpy as np

from examples.kernels.example import Launch, Out


def _launch(x: np.ndarray) -> Launch:
    wide = x.astype(np.float64)
    with np.errstate(invalid="ignore"):
        powers = np.exp(wide - wide.max(1, keepdims=True))
        want = powers / powers.sum(1, keepdims=True)
    # ex2.approx is within 2 units, and its argument, up to 30 here, is rounded.
    out = Out(want.astype(np.float32), 1e-5 * np.abs(want) + 1e-12)
    return Launch("softmax_f32", (x.shape[0],), (256,), [x, out, np.int32(x.shape[1])])


def softmax(random: np.random.Generator) -> Launch:
    return _launch((random.normal(size=(5, 700)) * 5).astype(np.float32))


def infinities(random: np.random.Generator) -> Launch:
    x = random.normal(size=(4, 40)).astype(np.float32)
    x[0, 7] = -np.inf
    x[1, 7] = np.nan
    x[2, 7] = np.inf
    x[3] = -np.inf
    return _launch(x)


EXAMPLES = [softmax, infinities]
