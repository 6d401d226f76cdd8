# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Binary floating point with rationals: every result is rounded once, from its exact value.

Values of a format are bit patterns. An exact value is a `Fraction`, one of the strings
"inf", "-inf" and "nan", or "-0".
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

Exact = Fraction | str


@dataclass(frozen=True)
class Format:
    """A format with an exponent of ones for infinities and NaNs, unless `finite` says otherwise."""

    exponent_bits: int
    mantissa_bits: int
    finite: bool = False  # all patterns are numbers
    nan_only: bool = False  # the highest pattern is NaN, there is no infinity
    bias_override: int | None = None

    @property
    def bits(self) -> int:
        return 1 + self.exponent_bits + self.mantissa_bits

    @property
    def bias(self) -> int:
        if self.bias_override is not None:
            return self.bias_override
        return (1 << (self.exponent_bits - 1)) - 1

    @property
    def greatest(self) -> int:
        top = (1 << (self.bits - 1)) - 1
        if self.finite:
            return top
        return top - 1 if self.nan_only else top - (1 << self.mantissa_bits)

    @property
    def nan(self) -> int:
        """The canonical NaN that PTX gives."""
        return (1 << (self.bits - 1)) - 1


F16: Final = Format(5, 10)
BF16: Final = Format(8, 7)
TF32: Final = Format(8, 10)
F32: Final = Format(8, 23)
F64: Final = Format(11, 52)
E4M3: Final = Format(4, 3, nan_only=True)
E5M2: Final = Format(5, 2)
E2M1: Final = Format(2, 1, finite=True)
E2M3: Final = Format(2, 3, finite=True)
E3M2: Final = Format(3, 2, finite=True)


def decode(form: Format, pattern: int) -> Exact:
    """The value of a bit pattern."""
    magnitude = pattern & ((1 << (form.bits - 1)) - 1)
    negative = pattern >> (form.bits - 1) & 1
    if magnitude > form.greatest:
        infinite = not form.nan_only and magnitude == form.greatest + 1
        return ("-inf" if negative else "inf") if infinite else "nan"
    if magnitude == 0:
        return "-0" if negative else Fraction(0)
    field = magnitude >> form.mantissa_bits
    mantissa = magnitude & ((1 << form.mantissa_bits) - 1)
    if field:
        mantissa |= 1 << form.mantissa_bits
    exponent = max(field, 1) - form.bias - form.mantissa_bits
    value = Fraction(mantissa) * Fraction(2) ** exponent
    return -value if negative else value


def encode(form: Format, value: Exact, mode: str = "rn", finite: bool = False) -> int:
    """Rounds by `mode` (rn rz rm rp rna); `finite` keeps infinities at the greatest number."""
    sign = 1 << (form.bits - 1)
    if value == "nan":
        return form.greatest if form.finite else form.nan
    if isinstance(value, str):
        if value == "-0":
            return sign
        top = form.greatest if finite or form.finite else form.greatest + 1
        return (sign if value == "-inf" else 0) | top
    if value == 0:
        return 0
    negative = value < 0
    size = abs(value)
    exponent = _floor_log2(size)
    step = max(exponent, 1 - form.bias) - form.mantissa_bits
    units = size / Fraction(2) ** step
    kept = math.floor(units)
    rest = units - kept
    if mode == "rn":
        up = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and kept & 1)
    elif mode == "rna":
        up = rest >= Fraction(1, 2)
    elif mode == "rz":
        up = False
    else:
        up = rest > 0 and (mode == "rm") == negative
    kept += bool(up)
    code = ((step + form.mantissa_bits - (1 - form.bias)) << form.mantissa_bits) + kept
    if code > form.greatest:
        towards_zero = (
            mode == "rz" or (mode == "rp" and negative) or (mode == "rm" and not negative)
        )
        code = form.greatest if towards_zero or finite or form.finite else form.greatest + 1
    return (sign if negative else 0) | code


def _floor_log2(value: Fraction) -> int:
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1


def _negative(value: Exact) -> bool:
    return value in ("-0", "-inf") if isinstance(value, str) else value < 0


def negate(value: Exact) -> Exact:
    if isinstance(value, str):
        return {"nan": "nan", "inf": "-inf", "-inf": "inf", "-0": Fraction(0)}[value]
    return "-0" if value == 0 else -value


def _number(value: Exact) -> Fraction:
    return Fraction(0) if isinstance(value, str) else value


def _infinite(value: Exact) -> bool:
    return value in ("inf", "-inf")


def add(a: Exact, b: Exact, mode: str = "rn") -> Exact:
    """The exact sum. `mode` decides the sign of a zero."""
    if a == "nan" or b == "nan":
        return "nan"
    if _infinite(a) or _infinite(b):
        if _infinite(a) and _infinite(b) and a != b:
            return "nan"
        return a if _infinite(a) else b
    total = _number(a) + _number(b)
    if total != 0:
        return total
    if _negative(a) and _negative(b) and _number(a) == 0:
        return "-0"
    if not _negative(a) and not _negative(b):
        return Fraction(0)
    return "-0" if mode == "rm" else Fraction(0)


def multiply(a: Exact, b: Exact) -> Exact:
    if a == "nan" or b == "nan":
        return "nan"
    negative = _negative(a) != _negative(b)
    if _infinite(a) or _infinite(b):
        other = b if _infinite(a) else a
        if not _infinite(other) and _number(other) == 0:
            return "nan"
        return "-inf" if negative else "inf"
    product = _number(a) * _number(b)
    if product == 0:
        return "-0" if negative else Fraction(0)
    return product


def divide(a: Exact, b: Exact) -> Exact:
    if a == "nan" or b == "nan":
        return "nan"
    negative = _negative(a) != _negative(b)
    zero: Exact = "-0" if negative else Fraction(0)
    infinity = "-inf" if negative else "inf"
    if _infinite(a):
        return "nan" if _infinite(b) else infinity
    if _infinite(b):
        return zero
    if _number(b) == 0:
        return "nan" if _number(a) == 0 else infinity
    if _number(a) == 0:
        return zero
    return _number(a) / _number(b)


def square_root(a: Exact) -> Exact:
    """The root to 200 bits, and a bit below them where it is not exact."""
    if a in ("nan", "inf", "-0"):
        return a
    if _negative(a):
        return "nan"
    value = _number(a)
    if value == 0:
        return value
    shift = 400 - 2 * (_floor_log2(value) // 2)
    scaled = value * Fraction(2) ** shift
    floor = math.floor(scaled)
    root = math.isqrt(floor)
    exact = root * root == scaled
    return Fraction(2 * root + (0 if exact else 1), 2) / Fraction(2) ** (shift // 2)
