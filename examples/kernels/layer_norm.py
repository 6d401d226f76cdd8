# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""layer_norm.cu"""

import numpy as np

from examples.kernels.example import Launch, Out


def _launch(x: np.ndarray, affine: tuple[np.ndarray, np.ndarray] | None) -> Launch:
    epsilon = np.float32(1e-5)
    wide = x.astype(np.float64)
    mean = wide.mean(1, keepdims=True)
    rstd = 1 / np.sqrt(wide.var(1, keepdims=True) + epsilon)
    want = (wide - mean) * rstd
    scale, bias = affine or (None, None)
    if affine is not None:
        want = want * scale + bias
    outputs = [
        Out(want.astype(np.float32), 2e-5 * (1 + np.abs(want))),
        Out(mean[:, 0].astype(np.float32), 2e-6 * np.abs(wide).max(1)),
        Out(rstd[:, 0].astype(np.float32), 2e-5 * rstd[:, 0]),
    ]
    if affine is None:
        outputs[1:] = [None, None]
    arguments = [x, scale, bias, *outputs, np.int32(x.shape[1]), epsilon]
    return Launch("layer_norm_f32", (x.shape[0],), (256,), arguments)


def layer_norm(random: np.random.Generator) -> Launch:
    x = (random.normal(size=(6, 777)) * 3 + 10).astype(np.float32)
    scale, bias = random.normal(size=(2, 777)).astype(np.float32)
    return _launch(x, (scale, bias))


def without_affine(random: np.random.Generator) -> Launch:
    return _launch(random.normal(size=(3, 100)).astype(np.float32), None)


EXAMPLES = [layer_norm, without_affine]
