# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""convert_f8_f4.cu; ml_dtypes converts the references."""

import ml_dtypes
import numpy as np

from examples.kernels.example import Launch, Out, ceil_div


def _values(random: np.random.Generator, n: int, largest: float) -> np.ndarray:
    x = random.normal(size=n) * 2.0 ** random.integers(-14, 14, n)
    x[:8] = [np.nan, np.inf, -np.inf, 0.0, -0.0, largest, -1.5 * largest, largest * 2**-20]
    return x.astype(np.float32)


def _saturated(x: np.ndarray, dtype: type) -> np.ndarray:
    largest = float(ml_dtypes.finfo(dtype).max)
    return np.clip(x.astype(np.float32), -largest, largest).astype(dtype).view(np.uint8)


def _e2m1(x: np.ndarray) -> np.ndarray:
    """Two to a byte; NaN becomes +6."""
    codes = _saturated(np.where(np.isnan(x), np.float32(6), x), ml_dtypes.float4_e2m1fn)
    codes = np.append(codes, np.zeros(len(codes) % 2, np.uint8))
    return (codes[0::2] | codes[1::2] << 4).astype(np.uint8)


# A NaN of an eight-bit float may have either sign: the hardware gives 0x7f.
def _nan_positive(codes: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(x), np.uint8(0x7F), codes)


def e4m3(random: np.random.Generator) -> Launch:
    n = 2001
    x = _values(random, n, 448)
    want = _nan_positive(_saturated(x, ml_dtypes.float8_e4m3fn), x)
    return Launch("convert_f32_to_e4m3", (2,), (256,), [x, Out(want), np.uint64(n)])


def e5m2(random: np.random.Generator) -> Launch:
    n = 2001
    with np.errstate(over="ignore"):
        x = _values(random, n, 57344).astype(np.float16)
    want = _nan_positive(_saturated(x, ml_dtypes.float8_e5m2), x)
    return Launch("convert_f16_to_e5m2", (2,), (256,), [x, Out(want), np.uint64(n)])


def e2m1(random: np.random.Generator) -> Launch:
    n = 2001
    x = _values(random, n, 6)
    return Launch("convert_f32_to_e2m1", (2,), (256,), [x, Out(_e2m1(x)), np.uint64(n)])


def mxfp4(random: np.random.Generator) -> Launch:
    groups = 37
    x = random.normal(size=(groups, 32)) * 2.0 ** random.integers(-40, 40, (groups, 1))
    x = x.astype(np.float32)
    x[3] = 0
    largest = np.abs(x).max(1)
    # floor(log2(largest)) - 2, biased; frexp gives a fraction from 1/2 on.
    exponents = np.where(largest > 0, np.frexp(largest)[1] - 1 - 2, -127)
    scales = np.clip(exponents + 127, 0, 254).astype(np.uint8)
    scaled = x * np.ldexp(np.float32(1), 127 - scales.astype(np.int32))[:, None]
    want = _e2m1(scaled.astype(np.float32).ravel())
    return Launch(
        "quantize_f32_to_mxfp4",
        (ceil_div(groups, 8),),
        (256,),
        [x, Out(want), Out(scales), np.uint64(groups)],
    )


EXAMPLES = [e4m3, e5m2, e2m1, mxfp4]
