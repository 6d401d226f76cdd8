# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""reduce.cu"""

import numpy as np

from examples.kernels.example import Launch, Out, ceil_div

# Of float32; no order of the additions here is deeper than 64.
_UNIT = 64 * 2.0**-24


def _sum(x: np.ndarray, axis: int) -> Out:
    wide = x.astype(np.float64)
    return Out(wide.sum(axis).astype(np.float32), _UNIT * np.abs(wide).sum(axis) + 1e-30)


def everything(random: np.random.Generator) -> Launch:
    blocks, n = 3, 20_011
    x = random.normal(size=n).astype(np.float32)
    # Block b reads every 768th run of 256 elements, from run b on.
    runs = np.zeros(ceil_div(n, blocks * 256) * blocks * 256, np.float32)
    runs[:n] = x
    parts = runs.reshape(-1, blocks, 256).transpose(1, 0, 2).reshape(blocks, -1)
    return Launch("reduce_sum_f32", (blocks,), (256,), [x, _sum(parts, 1), np.uint64(n)])


def nothing(random: np.random.Generator) -> Launch:
    del random
    x = np.ones(1, np.float32)
    return Launch("reduce_sum_f32", (1,), (256,), [x, Out(np.zeros(1, np.float32)), np.uint64(0)])


def rows(random: np.random.Generator) -> Launch:
    shape = (21, 333)
    x = random.normal(size=shape).astype(np.float32)
    sizes = [np.int32(n) for n in shape]
    return Launch("reduce_rows_f32", (ceil_div(shape[0], 8),), (256,), [x, _sum(x, 1), *sizes])


def columns(random: np.random.Generator) -> Launch:
    shape = (131, 77)
    x = random.normal(size=shape).astype(np.float32)
    sizes = [np.int32(n) for n in shape]
    return Launch("reduce_columns_f32", (ceil_div(shape[1], 32),), (32, 8), [x, _sum(x, 0), *sizes])


EXAMPLES = [everything, nothing, rows, columns]
