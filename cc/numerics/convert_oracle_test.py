# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Conversions between all pairs of element types agree with NumPy and ml_dtypes."""

import os
import subprocess

import ml_dtypes
import numpy as np
from absl.testing import absltest, parameterized

_TOOL = os.environ["CONVERT_TOOL"]
_INTEGERS = {
    "s2": ml_dtypes.int2,
    "s4": ml_dtypes.int4,
    "s8": np.int8,
    "s16": np.int16,
    "s32": np.int32,
    "s64": np.int64,
    "u2": ml_dtypes.uint2,
    "u4": ml_dtypes.uint4,
    "u8": np.uint8,
    "u16": np.uint16,
    "u32": np.uint32,
    "u64": np.uint64,
}
_FLOATS = {
    "f4e2m1fn": ml_dtypes.float4_e2m1fn,
    "f6e2m3fn": ml_dtypes.float6_e2m3fn,
    "f6e3m2fn": ml_dtypes.float6_e3m2fn,
    "f8e3m4": ml_dtypes.float8_e3m4,
    "f8e4m3": ml_dtypes.float8_e4m3,
    "f8e4m3fn": ml_dtypes.float8_e4m3fn,
    "f8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "f8e4m3b11fnuz": ml_dtypes.float8_e4m3b11fnuz,
    "f8e5m2": ml_dtypes.float8_e5m2,
    "f8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "f8e8m0fnu": ml_dtypes.float8_e8m0fnu,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
}
_COMPLEX = {"c64": np.complex64, "c128": np.complex128}
_TYPES = {"pred": np.bool_, **_INTEGERS, **_FLOATS, **_COMPLEX}


def _bits(name: str) -> int:
    return int(name[1:]) if name in _INTEGERS else 8


def _values(name: str) -> np.ndarray:
    """Values of a type: all where they are few, else the ends and a random choice."""
    random = np.random.default_rng(1)
    dtype = np.dtype(_TYPES[name])
    if name == "pred":
        return np.array([False, True])
    if name in _INTEGERS:
        bits = _bits(name)
        low = -(1 << (bits - 1)) if name[0] == "s" else 0
        high = low + (1 << bits) - 1
        if bits <= 8:
            return np.arange(low, high + 1).astype(dtype)
        ends = [low, low + 1, high, high - 1, 0, 1]
        ends += [
            sign * ((1 << p) + d)
            for p in range(bits)
            for d in (-1, 0, 1)
            for sign in (-1, 1)
            if low <= sign * ((1 << p) + d) <= high
        ]
        spread = random.integers(0, 1 << 63, 3000) >> random.integers(0, 63, 3000)
        chosen = [int(x) for x in spread if int(x) <= high]
        return np.array(ends + chosen, dtype)
    if name in _COMPLEX:
        part = np.float32 if name == "c64" else np.float64
        parts = _values("f32" if part is np.float32 else "f64")
        return (parts + 1j * parts[::-1]).astype(dtype)
    if dtype.itemsize <= 2:
        bits = 16 if dtype.itemsize == 2 else ml_dtypes.finfo(_TYPES[name]).bits
        return np.arange(1 << bits).astype(f"u{dtype.itemsize}").view(dtype)
    integers = random.integers(0, 1 << 62, 20000).astype(np.float64)
    scaled = np.ldexp(
        integers * random.choice([-1.0, 1.0], 20000), random.integers(-200, 70, 20000)
    )
    special = [0.0, -0.0, 0.5, -0.5, 2.0**63, -(2.0**63), 2.0**64, np.inf, -np.inf, np.nan]
    with np.errstate(over="ignore"):
        return np.concatenate([scaled, special]).astype(dtype)


def _to_integer(values: np.ndarray, source: str, target: str) -> np.ndarray:
    bits = _bits(target)
    low = -(1 << (bits - 1)) if target[0] == "s" else 0
    high = low + (1 << bits) - 1
    result = []
    for value in values:
        if source in _FLOATS or source in _COMPLEX:
            real = float(value.real)
            if np.isnan(real):
                whole = 0
            elif np.isinf(real):
                whole = high if real > 0 else low
            else:
                whole = min(max(int(real), low), high)
        else:
            whole = (int(value) - low) % (1 << bits) + low
        result.append(whole)
    return np.array(result, np.uint64 if target == "u64" else np.int64).astype(_TYPES[target])


def _nearest(values: np.ndarray, dtype: type) -> np.ndarray:
    """Integers beyond 2^53 to a narrow float, rounded once: sticky bits keep ties apart."""
    sticky = []
    for value in values:
        magnitude = abs(int(value))
        cut = max(magnitude.bit_length() - 40, 0)
        rest = magnitude & ((1 << cut) - 1)
        kept = (magnitude >> cut << 1 | (rest != 0)) << cut
        sticky.append(float(kept) / 2 * (-1 if int(value) < 0 else 1))
    return np.array(sticky).astype(dtype)


class ConvertOracleTest(parameterized.TestCase):
    @parameterized.parameters(*_TYPES)
    def test_from(self, source: str) -> None:
        values = _values(source)
        for target, dtype in _TYPES.items():
            run = subprocess.run(
                [_TOOL, "convert", source, target],
                input=values.tobytes(),
                capture_output=True,
                check=True,
            )
            found = np.frombuffer(run.stdout, dtype)
            with np.errstate(all="ignore"):
                if target in _INTEGERS:
                    expected = _to_integer(values, source, target)
                elif target == "pred":
                    expected = np.array([bool(v != 0) for v in values.astype(_wide(source))])
                elif source in _INTEGERS and target in _FLOATS and target != "f64":
                    expected = _nearest(values, dtype)
                elif source in _COMPLEX and target not in _COMPLEX:
                    expected = values.real.astype(np.float64).astype(dtype)
                else:
                    expected = values.astype(_wide(source)).astype(dtype)
            if target == "f8e8m0fnu":  # where ml_dtypes rounds all up; 2^-127 is nearer
                wide = np.real(values.astype(_wide(source)))
                low = (wide > 2.0**-127) & (wide < 1.5 * 2.0**-127)
                found, expected = found[~low], expected[~low]
            wide = _wide(target)
            np.testing.assert_array_equal(
                found.astype(wide), expected.astype(wide), f"{source} to {target}"
            )
            if target in _FLOATS:
                np.testing.assert_array_equal(
                    np.signbit(found.astype(wide)[~np.isnan(found.astype(wide))]),
                    np.signbit(expected.astype(wide)[~np.isnan(found.astype(wide))]),
                    f"{source} to {target}",
                )


def _wide(name: str) -> type:
    if name in _COMPLEX:
        return np.complex128
    if name in _FLOATS:
        return np.float64
    return np.uint64 if name == "u64" else np.int64


if __name__ == "__main__":
    absltest.main()
