# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""attention_f16_mma.cu"""

import numpy as np

from examples.kernels.example import Launch, Out, ceil_div


def _launch(random: np.random.Generator, queries: int, keys: int, causal: bool) -> Launch:
    heads, dim = 2, 64
    q = random.normal(size=(heads, queries, dim)).astype(np.float16)
    k, v = random.normal(size=(2, heads, keys, dim)).astype(np.float16)
    scale = np.float32(dim**-0.5)
    scores = scale * (q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1))
    if causal:
        seen = np.arange(keys)[None, :] <= np.arange(queries)[:, None] + keys - queries
        scores = np.where(seen, scores, -np.inf)
    largest = scores.max(2, keepdims=True, initial=-np.inf)
    powers = np.exp(scores - np.where(np.isinf(largest), 0, largest))
    total = powers.sum(2, keepdims=True)
    weights = powers / np.where(total == 0, 1, total)
    want = weights @ v.astype(np.float64)
    # Weights are rounded to float16 for the second product, then the result is.
    within = 2.0**-10 * (weights @ np.abs(v.astype(np.float64))) + 2.0**-11 * np.abs(want) + 1e-6
    arguments = [
        *(q, k, v, Out(want.astype(np.float16), within)),
        *(np.int32(queries), np.int32(keys), scale, np.int32(causal)),
    ]
    return Launch("attention_f16_d64", (ceil_div(queries, 64), heads), (128,), arguments)


def full(random: np.random.Generator) -> Launch:
    return _launch(random, 70, 150, False)


def causal(random: np.random.Generator) -> Launch:
    return _launch(random, 100, 90, True)  # the first ten queries see nothing


EXAMPLES = [full, causal]
