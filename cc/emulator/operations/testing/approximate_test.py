# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The .approx operations are within 0.51 units in the last place of the C library's f64
functions, far inside the PTX manual's bounds, and right at their special values."""

import math
import random
import struct
from collections.abc import Callable
from fractions import Fraction

import exact
from absl.testing import absltest, parameterized
from exact import BF16, F16, F32, F64
from tool import LANES, Tool


def _bits(value: float) -> int:
    return exact.encode(F32, Fraction(value)) if value else 0


def _float(pattern: int) -> float:
    return struct.unpack("<f", struct.pack("<I", pattern))[0]


def _ulp(value: float, mantissa_bits: int, least: int) -> float:
    exponent = math.frexp(value)[1] - 1 if value else least
    return 2.0 ** (max(exponent, least) - mantissa_bits)


_FUNCTIONS: dict[str, tuple[Callable[[float], float], tuple[float, float]]] = {
    "ex2.approx.f32": (math.exp2 if hasattr(math, "exp2") else lambda x: 2.0**x, (-160.0, 127.9)),
    "ex2.approx.ftz.f32": (lambda x: 2.0**x, (-125.0, 127.9)),
    "lg2.approx.f32": (math.log2, (1e-44, 3e38)),
    "lg2.approx.ftz.f32": (math.log2, (0.5, 2.0)),
    "sin.approx.f32": (math.sin, (-100.0, 100.0)),
    "sin.approx.ftz.f32": (math.sin, (-4.0, 4.0)),
    "cos.approx.f32": (math.cos, (-100.0, 100.0)),
    "tanh.approx.f32": (math.tanh, (-12.0, 12.0)),
    "rsqrt.approx.f32": (lambda x: 1 / math.sqrt(x), (1e-44, 3e38)),
    "rsqrt.approx.ftz.f32": (lambda x: 1 / math.sqrt(x), (1e-30, 3e38)),
    "rcp.approx.f32": (lambda x: 1 / x, (1e-38, 1e37)),
    "sqrt.approx.ftz.f32": (math.sqrt, (1e-30, 3e38)),
}

_INF, _NAN = 0x7F800000, 0x7FFFFFFF
_NEGATIVE_INF, _NEGATIVE_ZERO = 0xFF800000, 0x80000000
_SPECIAL = [
    ("ex2.approx.ftz.f32", _INF, _INF),
    ("ex2.approx.ftz.f32", _NEGATIVE_INF, 0),
    ("ex2.approx.ftz.f32", 1, 0x3F800000),
    ("ex2.approx.ftz.f32", 0xC3150000, 0),  # 2^-149
    ("ex2.approx.f32", 0xC3150000, 1),
    ("ex2.approx.f32", 0x43000000, _INF),  # 2^128
    ("ex2.approx.f32", 0x7FC00001, _NAN),
    ("lg2.approx.f32", 0, _NEGATIVE_INF),
    ("lg2.approx.f32", _NEGATIVE_ZERO, _NEGATIVE_INF),
    ("lg2.approx.ftz.f32", 1, _NEGATIVE_INF),
    ("lg2.approx.f32", 1, 0xC3150000),
    ("lg2.approx.f32", 0xBF800000, _NAN),
    ("lg2.approx.f32", _INF, _INF),
    ("sin.approx.f32", _INF, _NAN),
    ("sin.approx.f32", _NEGATIVE_ZERO, _NEGATIVE_ZERO),
    ("cos.approx.f32", _INF, _NAN),
    ("tanh.approx.f32", _INF, 0x3F800000),
    ("tanh.approx.f32", _NEGATIVE_INF, 0xBF800000),
    ("tanh.approx.f32", _NEGATIVE_ZERO, _NEGATIVE_ZERO),
    ("rsqrt.approx.f32", 0, _INF),
    ("rsqrt.approx.f32", _NEGATIVE_ZERO, _NEGATIVE_INF),
    ("rsqrt.approx.f32", _INF, 0),
    ("rsqrt.approx.f32", 0xBF800000, _NAN),
    ("rcp.approx.ftz.f32", 1, _INF),
    ("rcp.approx.ftz.f32", 0x7F000000, 0),
    ("rcp.approx.f32", _NEGATIVE_INF, _NEGATIVE_ZERO),
    ("sqrt.approx.f32", 0xBF800000, _NAN),
]


class ApproximateTest(parameterized.TestCase):
    baseline = False

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.tool = Tool(cls.baseline)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.tool.close()
        super().tearDownClass()

    @parameterized.parameters(*_FUNCTIONS)
    def test_f32(self, name: str) -> None:
        function, (low, high) = _FUNCTIONS[name]
        rng = random.Random(name)
        worst = 0.0
        for batch in range(60):
            row = []
            for _ in range(LANES):
                if low > 0 and batch % 2:
                    value = math.exp(rng.uniform(math.log(low), math.log(high)))
                else:
                    value = rng.uniform(low, high)
                if low < 0 and batch % 4 == 3:
                    value *= 2.0 ** rng.randrange(-30, 0)
                row.append(_bits(value))
            (found,) = self.tool.run(f"{name} %r0, %r1", [row])
            for pattern, result in zip(row, found, strict=True):
                expected = function(_float(pattern))
                error = abs(_float(result) - expected) / _ulp(expected, 23, -126)
                worst = max(worst, error)
                self.assertLess(error, 0.51, f"{name} of {_float(pattern)!r}: {_float(result)!r}")
        self.assertGreater(worst, 0.1)

    def test_special_values(self) -> None:
        for name, pattern, expected in _SPECIAL:
            (found,) = self.tool.run(f"{name} %r0, %r1", [[pattern] * LANES])
            self.assertEqual(hex(found[0]), hex(expected), f"{name} of {pattern:x}")

    @parameterized.parameters("ex2", "tanh")
    def test_every_half(self, function: str) -> None:
        """Within the manual's 2^-9.9 or 2^-10.987 (f16), 2^-7 or 2^-8 (bf16): a step."""
        of = math.tanh if function == "tanh" else lambda x: 2.0**x
        for name, form in ((".f16", F16), (".bf16" if function == "tanh" else ".ftz.bf16", BF16)):
            for start in range(0, 1 << 16, LANES):
                row = list(range(start, start + LANES))
                (found,) = self.tool.run(f"{function}.approx{name} %h0, %h1", [row])
                for pattern, result in zip(row, found, strict=True):
                    value = exact.decode(form, pattern)
                    if isinstance(value, str) or abs(value) > 120:
                        continue
                    expected = Fraction(of(float(value)))
                    best = exact.encode(form, expected)
                    if "ftz" in name and not best >> form.mantissa_bits & 0xFF:
                        best &= 0x8000
                    if value == 0 and function == "tanh":
                        best = pattern
                    self.assertLessEqual(abs(result - best), 1, f"{function}{name} {pattern:x}")
                pair = [p << 16 | p for p in row]
                if start % 2048 == 0:
                    (pairs,) = self.tool.run(f"{function}.approx{name}x2 %r0, %r1", [pair])
                    self.assertEqual(pairs, [f << 16 | f for f in found])

    def test_division(self) -> None:
        rng = random.Random(9)
        for name in ("div.approx.f32", "div.full.f32", "div.approx.ftz.f32", "div.full.ftz.f32"):
            a, b = ([rng.randrange(0x30000000, 0x4F000000) for _ in range(LANES)] for _ in range(2))
            (found,) = self.tool.run(f"{name} %r0, %r1, %r2", [a, b])
            for x, y, result in zip(a, b, found, strict=True):
                expected = _float(x) / _float(y)
                self.assertLess(abs(_float(result) - expected) / _ulp(expected, 23, -126), 0.51)
        # Beyond 2^126 the reciprocal is 0.
        large, one = 0x7F000000, 0x3F800000
        (found,) = self.tool.run(
            "div.approx.f32 %r0, %r1, %r2", [[one, _INF] * 16, [large] * LANES]
        )
        self.assertEqual([hex(f) for f in found[:2]], ["0x0", hex(_NAN)])
        (found,) = self.tool.run("div.full.f32 %r0, %r1, %r2", [[one] * LANES, [large] * LANES])
        self.assertEqual(hex(found[0]), "0x400000")

    def test_f64(self) -> None:
        """Of .approx.ftz.f64 the upper 32 bits: 20 bits of mantissa."""
        rng = random.Random(10)
        row = [rng.getrandbits(62) | 1 << 61 for _ in range(LANES)]
        for name, power in (("rcp", -1.0), ("rsqrt", -0.5)):
            (found,) = self.tool.run(f"{name}.approx.ftz.f64 %d0, %d1", [row])
            for pattern, result in zip(row, found, strict=True):
                self.assertEqual(result & 0xFFFFFFFF, 0)
                value = exact.decode(F64, pattern & ~0xFFFFFFFF)
                found_value = exact.decode(F64, result)
                assert isinstance(value, Fraction) and isinstance(found_value, Fraction)
                ratio = float(found_value * value) if power == -1 else float(found_value**2 * value)
                self.assertLess(abs(ratio - 1), 2.0**-19.9)
        (found,) = self.tool.run("rsqrt.approx.f64 %d0, %d1", [row])
        for pattern, result in zip(row, found, strict=True):
            value, root = exact.decode(F64, pattern), exact.decode(F64, result)
            assert isinstance(value, Fraction) and isinstance(root, Fraction)
            self.assertLess(abs(float(root**2 * value) - 1), 2.0**-50)


class BaselineApproximateTest(ApproximateTest):
    baseline = True


if __name__ == "__main__":
    absltest.main()
