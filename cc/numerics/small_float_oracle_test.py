# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Every conversion of a value agrees with ml_dtypes and NumPy."""

import os
import subprocess

import ml_dtypes
import numpy as np
from absl.testing import absltest, parameterized

_TOOL = os.environ["CONVERT_TOOL"]
_TYPES = {
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
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
}


def _run(command: list[str], values: np.ndarray, result: type) -> np.ndarray:
    run = subprocess.run([_TOOL, *command], input=values.tobytes(), capture_output=True, check=True)
    return np.frombuffer(run.stdout, result)


def _encode(name: str, values: np.ndarray, rounding: str = "even") -> np.ndarray:
    return _run(["encode", name, rounding, "none", "xla"], values.astype(np.float64), np.uint32)


def _patterns(dtype: type) -> np.ndarray:
    """Every bit pattern of a format, as its values."""
    bits = np.finfo(dtype).bits if dtype is np.float16 else ml_dtypes.finfo(dtype).bits
    storage = np.uint8 if bits <= 8 else np.uint16
    return np.arange(1 << bits).astype(storage).view(dtype)


def _codes(values: np.ndarray) -> np.ndarray:
    return values.view(np.uint8 if values.dtype.itemsize == 1 else np.uint16).astype(np.uint32)


def _inputs() -> np.ndarray:
    """Every f16 and bf16, and floats that share out their patterns, with neighbours."""
    top = np.arange(1 << 18, dtype=np.uint32) << np.uint32(14)
    rest = np.random.default_rng(0).integers(0, 1 << 14, top.size, dtype=np.uint32)
    floats = np.concatenate([top, top + np.uint32(1), top - np.uint32(1), top | rest])
    with np.errstate(invalid="ignore"):
        return np.concatenate(
            [
                _patterns(np.float16).astype(np.float64),
                _patterns(ml_dtypes.bfloat16).astype(np.float64),
                floats.view(np.float32).astype(np.float64),
            ]
        )


class SmallFloatOracleTest(parameterized.TestCase):
    @parameterized.parameters(*_TYPES)
    def test_every_pattern_has_its_value(self, name: str) -> None:
        values = _patterns(_TYPES[name])
        found = _run(["decode", name], _codes(values), np.float64)
        np.testing.assert_array_equal(found, values.astype(np.float64))
        np.testing.assert_array_equal(
            np.signbit(found[found == 0]), np.signbit(values.astype(np.float64)[found == 0])
        )

    @parameterized.parameters(*_TYPES)
    def test_values_become_the_patterns_of_the_oracle(self, name: str) -> None:
        values = _inputs()
        with np.errstate(over="ignore", invalid="ignore"):
            # The values are floats, so that the oracle rounds them once as well.
            expected = _codes(values.astype(np.float32).astype(_TYPES[name]))
        found = _encode(name, values)
        if name == "f16":  # NumPy keeps what it can of the payload of a NaN
            nan = np.isnan(values)
            self.assertTrue(np.all((found[nan] & 0x7FFF) == 0x7E00))
            found, expected = found[~nan], expected[~nan]
        if name == "f8e8m0fnu":
            # Below its least normal float, ml_dtypes rounds all up; 2^-127 is nearer.
            low = (values > 2.0**-127) & (values < 1.5 * 2.0**-127)
            self.assertTrue(np.all(found[low] == 0))
            found, expected = found[~low], expected[~low]
        different = np.flatnonzero(found != expected)
        shown = [(values[i], hex(found[i]), hex(expected[i])) for i in different[:5]]
        self.assertEmpty(different, shown)

    @parameterized.product(name=tuple(_TYPES), rounding=("zero", "up", "down"))
    def test_directed_rounding_takes_the_neighbour(self, name: str, rounding: str) -> None:
        """The neighbours are searched for in the sorted table of all values."""
        table = np.unique(_patterns(_TYPES[name]).astype(np.float64))
        table = table[np.isfinite(table)]
        values = _inputs()
        values = values[np.isfinite(values) & (values >= table[0]) & (values <= table[-1])]
        down = table[np.searchsorted(table, values, "right") - 1]
        up = table[np.searchsorted(table, values, "left")]
        toward_zero = np.where(values < 0, up, down)
        expected = {"zero": toward_zero, "up": up, "down": down}[rounding]
        codes = _encode(name, values, rounding)
        found = _run(["decode", name], codes, np.float64)
        np.testing.assert_array_equal(found, expected)


if __name__ == "__main__":
    absltest.main()
