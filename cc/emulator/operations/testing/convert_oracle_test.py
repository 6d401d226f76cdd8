# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""cvt in every form: the exact value of the source, rounded and clamped once."""

import itertools
import math
import random
from fractions import Fraction

import exact
from absl.testing import absltest, parameterized
from exact import BF16, E2M1, E2M3, E3M2, E4M3, E5M2, F16, F32, F64, TF32, Exact, Format
from tool import LANES, Tool

_INTEGERS = ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64")
_FLOATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
_BITS = {**{k: int(k[1:]) for k in _INTEGERS}, **{k: f.bits for k, f in _FLOATS.items()}}
_BATCHES = 3


def _register(kind: str) -> str:
    return {8: "c", 16: "h", 32: "r", 64: "d"}[_BITS[kind]]


def _forms() -> list[tuple[str, str, str]]:
    """(modifiers, result, source) of the scalar conversions."""
    forms = []
    for d, s in itertools.product(_INTEGERS, _INTEGERS):
        forms += [("", d, s), (".sat", d, s)]
    for d, s in itertools.product(_INTEGERS, _FLOATS):
        for rounding in (".rni", ".rzi", ".rmi", ".rpi"):
            forms.append((rounding, d, s))
        if s == "f32":
            forms.append((".rzi.ftz", d, s))
    for d, s in itertools.product(_FLOATS, _INTEGERS):
        for rounding in (".rn", ".rz", ".rm", ".rp"):
            forms.append((rounding, d, s))
    for d, s in (
        ("f16", "f32"),
        ("bf16", "f32"),
        ("f32", "f64"),
        ("f16", "f64"),
        ("bf16", "f64"),
        ("bf16", "f16"),
        ("f16", "bf16"),
    ):
        for rounding in (".rn", ".rz", ".rm", ".rp"):
            forms.append((rounding, d, s))
    for d in ("f16", "bf16"):
        for rounding, relu, finite in itertools.product(
            (".rn", ".rz"), ("", ".relu"), ("", ".satfinite")
        ):
            forms.append((rounding + finite + relu, d, "f32"))
    forms += [("", "f32", "f16"), ("", "f32", "bf16"), ("", "f64", "f32"), ("", "f64", "f16")]
    forms += [(".rn.ftz", "f32", "f64"), (".ftz", "f64", "f32"), (".ftz", "f32", "f16")]
    forms += [(".rn.ftz", "f16", "f32"), (".rn.sat", "f16", "f32"), (".sat", "f32", "f32")]
    forms += [(".rn.sat", "f32", "f64"), (".ftz.sat", "f32", "f32"), (".ftz", "f32", "f32")]
    for d in ("f32", "f64", "f16"):
        for rounding in (".rni", ".rzi", ".rmi", ".rpi"):
            forms.append((rounding, d, d))
    forms += [(".rni.ftz", "f32", "f32"), (".rzi.sat", "f32", "f32")]
    return list(dict.fromkeys(forms))


def _integral(value: Fraction, mode: str) -> int:
    if mode in ("rzi", "rz"):
        return math.trunc(value)
    if mode in ("rmi", "rm"):
        return math.floor(value)
    if mode in ("rpi", "rp"):
        return math.ceil(value)
    return round(value)  # ties to even


def _signed(bits: int, pattern: int) -> int:
    return pattern - (1 << bits) if pattern >> (bits - 1) else pattern


def _clamp(kind: str, value: int) -> int:
    bits = _BITS[kind]
    low = -(1 << (bits - 1)) if kind[0] == "s" else 0
    return min(max(value, low), low + (1 << bits) - 1)


def _flush(pattern: int) -> int:
    return pattern if pattern >> 23 & 255 else pattern & 1 << 31


def _reference(words: set[str], d: str, s: str, pattern: int) -> int | str:
    """The pattern of the result; "nan" for any NaN of f64."""
    modes = {"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"} & words
    mode = modes.pop() if modes else "rn"
    bits = _BITS[d]
    value: Exact
    if s in _INTEGERS:
        number = _signed(_BITS[s], pattern) if s[0] == "s" else pattern
        if d in _INTEGERS:
            return (_clamp(d, number) if "sat" in words else number) & ((1 << bits) - 1)
        value = Fraction(number)
    else:
        if s == "f32" and "ftz" in words:
            pattern = _flush(pattern)
        value = exact.decode(_FLOATS[s], pattern)
    if d in _INTEGERS:
        if value == "nan":
            return 1 << (bits - 1) if s == "f64" or bits == 64 else 0
        if value in ("inf", "-inf"):
            return _clamp(d, -(1 << 200) if value == "-inf" else 1 << 200) & ((1 << bits) - 1)
        exactly = Fraction(0) if isinstance(value, str) else value
        return _clamp(d, _integral(exactly, mode)) & ((1 << bits) - 1)
    if mode.endswith("i") and isinstance(value, Fraction):
        negative = value < 0
        value = Fraction(_integral(value, mode))
        if value == 0 and negative:
            value = "-0"
    if "sat" in words:
        if value in ("nan", "-inf", "-0") or (isinstance(value, Fraction) and value < 0):
            value = Fraction(0)
        elif value == "inf" or value > 1:
            value = Fraction(1)
    if "relu" in words and (value in ("-inf", "-0") or (isinstance(value, Fraction) and value < 0)):
        value = Fraction(0)
    if value == "nan" and d == "f64":
        return "nan"
    if value == "nan" and s == "bf16" and d == "f32":
        return pattern << 16
    result = exact.encode(_FLOATS[d], value, mode.removesuffix("i"), "satfinite" in words)
    return _flush(result) if d == "f32" and "ftz" in words else result


def _float_pattern(form: Format, rng: random.Random) -> int:
    kind = rng.randrange(5)
    top = form.greatest
    if kind == 0:
        edge = [0, 1, top, top + 1, form.nan, form.nan - 1, form.bias << form.mantissa_bits]
        return rng.choice(edge) | rng.getrandbits(1) << (form.bits - 1)
    if kind == 1:
        return rng.getrandbits(form.bits)
    # Around integers, halves of integers, and the borders of integer types.
    number = Fraction(
        rng.getrandbits(rng.choice([1, 2, 8, 16, 31, 32, 33, 63, 64])) + rng.randrange(3)
    )
    number += Fraction(rng.choice([0, 1, 2, 3]), 4)
    if kind == 2:
        number = Fraction(2) ** rng.choice([7, 8, 15, 16, 31, 32, 63, 64]) + rng.choice([-1, 0, 1])
    if kind == 3:
        number *= Fraction(2) ** rng.randrange(-30, 1)
    return exact.encode(
        form, -number if rng.getrandbits(1) else number, rng.choice(["rz", "rn"]), True
    )


def _integer_pattern(bits: int, rng: random.Random) -> int:
    kind = rng.randrange(3)
    if kind == 0:
        return rng.choice([0, 1, (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1])
    if kind == 1:
        width = rng.randrange(1, bits + 1)
        return ((1 << width) + rng.choice([-2, -1, 0, 1, 2])) % (1 << bits)
    return rng.getrandbits(bits) >> rng.randrange(bits)


def _pattern(kind: str, rng: random.Random) -> int:
    return (
        _integer_pattern(_BITS[kind], rng)
        if kind in _INTEGERS
        else _float_pattern(_FLOATS[kind], rng)
    )


class ConvertOracleTest(parameterized.TestCase):
    baseline = False

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.tool = Tool(cls.baseline)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.tool.close()
        super().tearDownClass()

    @parameterized.parameters(*_forms())
    def test_scalar(self, modifiers: str, d: str, s: str) -> None:
        name = f"cvt{modifiers}.{d}.{s}"
        rng = random.Random(name)
        words = set(modifiers.split("."))
        for batch in range(_BATCHES):
            source = [_pattern(s, rng) for _ in range(LANES)]
            mask = rng.getrandbits(32) | 1 if batch == 0 else 0xFFFFFFFF
            before = [rng.getrandbits(_BITS[d]) for _ in range(LANES)]
            (found,) = self.tool.run(
                f"{name} %{_register(d)}0, %{_register(s)}1", [source], before=[before], mask=mask
            )
            for i in range(LANES):
                expected = _reference(words, d, s, source[i]) if mask >> i & 1 else before[i]
                if expected == "nan":
                    self.assertEqual(exact.decode(F64, found[i]), "nan", f"{name} {source[i]:x}")
                    continue
                self.assertEqual(
                    found[i], expected, f"{name} {source[i]:x}: {found[i]:x}, expected {expected:x}"
                )

    def test_wide_registers(self) -> None:
        """The result is extended to its register; of the source the low bits count."""
        rng = random.Random(5)
        for d, s in itertools.product(_INTEGERS, _INTEGERS):
            for dr, sr in itertools.product((16, 32, 64), (16, 32, 64)):
                if dr < _BITS[d] or sr < _BITS[s]:
                    continue
                registers = {16: "h", 32: "r", 64: "d"}
                source = [rng.getrandbits(sr) for _ in range(LANES)]
                statement = f"cvt.{d}.{s} %{registers[dr]}0, %{registers[sr]}1"
                (found,) = self.tool.run(statement, [source])
                for i in range(LANES):
                    low = source[i] & ((1 << _BITS[s]) - 1)
                    result = _reference(set(), d, s, low)
                    assert isinstance(result, int)
                    if d[0] == "s":
                        result = _signed(_BITS[d], result) & ((1 << dr) - 1)
                    self.assertEqual(found[i], result, statement)

    def test_every_f16_and_bf16(self) -> None:
        for kind, form in (("f16", F16), ("bf16", BF16)):
            for start in range(0, 1 << 16, LANES):
                source = list(range(start, start + LANES))
                (wide,) = self.tool.run(f"cvt.f32.{kind} %r0, %h1", [source])
                (back,) = self.tool.run(f"cvt.rn.{kind}.f32 %h0, %r1", [wide])
                for pattern, value, again in zip(source, wide, back, strict=True):
                    number = exact.decode(form, pattern)
                    if number == "nan":
                        self.assertEqual(value, F32.nan if kind == "f16" else pattern << 16)
                        self.assertEqual(again, form.nan)
                    else:
                        self.assertEqual(value, exact.encode(F32, number))
                        self.assertEqual(again, pattern)

    @parameterized.parameters("rn", "rz", "rna")
    def test_tf32(self, mode: str) -> None:
        rng = random.Random(mode)
        for finite, relu in itertools.product(("", ".satfinite"), ("", ".relu")):
            if mode == "rna" and relu:
                continue
            source = [_float_pattern(F32, rng) for _ in range(LANES)]
            (found,) = self.tool.run(f"cvt.{mode}{finite}{relu}.tf32.f32 %r0, %r1", [source])
            for pattern, result in zip(source, found, strict=True):
                value = exact.decode(F32, pattern)
                if relu and (
                    value in ("-inf", "-0") or (isinstance(value, Fraction) and value < 0)
                ):
                    value = Fraction(0)
                expected = exact.encode(TF32, value, mode, bool(finite)) << 13
                if value == "nan":
                    expected = F32.nan
                self.assertEqual(result, expected, f"{pattern:x}")

    @parameterized.parameters(
        ("e4m3x2", E4M3, 8, "h"),
        ("e5m2x2", E5M2, 8, "h"),
        ("e2m1x2", E2M1, 4, "c"),
        ("e2m3x2", E2M3, 8, "h"),
        ("e3m2x2", E3M2, 8, "h"),
    )
    def test_small_pairs(self, kind: str, form: Format, stride: int, register: str) -> None:
        rng = random.Random(kind)
        for relu, _ in itertools.product(("", ".relu"), range(4)):
            a, b = ([self._near(form, rng) for _ in range(LANES)] for _ in range(2))
            (found,) = self.tool.run(
                f"cvt.rn.satfinite{relu}.{kind}.f32 %{register}0, %r1, %r2", [a, b]
            )
            for i in range(LANES):
                high, low = (self._small(form, exact.decode(F32, p), relu) for p in (a[i], b[i]))
                self.assertEqual(found[i], high << stride | low, f"{a[i]:x} {b[i]:x}")
            for half, wide in (("f16x2", F16), ("bf16x2", BF16)):
                source = [
                    exact.encode(wide, exact.decode(F32, x)) << 16
                    | exact.encode(wide, exact.decode(F32, y))
                    for x, y in zip(a, b, strict=True)
                ]
                (found,) = self.tool.run(
                    f"cvt.rn.satfinite{relu}.{kind}.{half} %{register}0, %r1", [source]
                )
                for i in range(LANES):
                    parts = [
                        exact.decode(wide, source[i] >> 16),
                        exact.decode(wide, source[i] & 0xFFFF),
                    ]
                    high, low = (self._small(form, p, relu) for p in parts)
                    self.assertEqual(found[i], high << stride | low, f"{half} {source[i]:x}")
        for start in range(0, 1 << form.bits, LANES):
            codes = [(start + i) % (1 << form.bits) for i in range(LANES)]
            source = [c << stride | codes[-1 - i] for i, c in enumerate(codes)]
            for half, wide in (("f16x2", F16), ("bf16x2", BF16)):
                for relu in ("", ".relu"):
                    (found,) = self.tool.run(
                        f"cvt.rn{relu}.{half}.{kind} %r0, %{register}1", [source]
                    )
                    for i, code in enumerate(codes):
                        for shift, c in ((16, code), (0, codes[-1 - i])):
                            expected = exact.encode(wide, exact.decode(form, c))
                            if relu and expected >> 15:
                                expected = 0
                            self.assertEqual(found[i] >> shift & 0xFFFF, expected, f"{half} {c:x}")

    def _near(self, form: Format, rng: random.Random) -> int:
        """f32 patterns around the values of a small format and its ties."""
        if rng.randrange(6) == 0:
            return _float_pattern(F32, rng)
        value = exact.decode(form, rng.randrange(form.greatest + 1))
        number = value if isinstance(value, Fraction) else Fraction(0)
        other = exact.decode(form, min(exact.encode(form, number) + 1, form.greatest))
        assert isinstance(other, Fraction)
        number += (other - number) * Fraction(rng.choice([0, 1, 2, 3, 4]), 4)
        pattern = exact.encode(F32, number) + rng.choice([-1, 0, 0, 1])
        return max(pattern, 0) | rng.getrandbits(1) << 31

    def _small(self, form: Format, value: Exact, relu: str) -> int:
        if relu and (value in ("-inf", "-0") or (isinstance(value, Fraction) and value < 0)):
            value = Fraction(0)
        return exact.encode(form, value, "rn", True)

    @parameterized.parameters("rz", "rp")
    def test_ue8m0(self, mode: str) -> None:
        rng = random.Random(mode)
        for finite in ("", ".satfinite"):
            a, b = ([_float_pattern(F32, rng) for _ in range(LANES)] for _ in range(2))
            (found,) = self.tool.run(f"cvt.{mode}{finite}.ue8m0x2.f32 %h0, %r1, %r2", [a, b])
            for i in range(LANES):
                for shift, pattern in ((8, a[i]), (0, b[i])):
                    value = exact.decode(F32, pattern & 0x7FFFFFFF)
                    if value == "nan":
                        expected = 255
                    elif value == "inf":
                        expected = 254 if finite else 255
                    else:
                        assert isinstance(value, Fraction)
                        exponent = -127
                        while Fraction(2) ** (exponent + 1) <= value:
                            exponent += 1
                        if mode == "rp" and value > Fraction(2) ** exponent:
                            exponent += 1
                        expected = exponent + 127
                        if expected > 254:
                            expected = 254 if finite else 255
                    self.assertEqual(found[i] >> shift & 255, expected, f"{finite} {pattern:x}")
        codes = [rng.randrange(256) for _ in range(LANES)]
        (found,) = self.tool.run("cvt.rn.bf16x2.ue8m0x2 %r0, %h1", [[c << 8 | c for c in codes]])
        for code, result in zip(codes, found, strict=True):
            value = "nan" if code == 255 else Fraction(2) ** (code - 127)
            self.assertEqual(result, exact.encode(BF16, value) * 0x10001)

    def test_s2f6(self) -> None:
        rng = random.Random(6)
        a, b = (
            [exact.encode(F32, Fraction(rng.randrange(-1200, 1200), 512)) for _ in range(LANES)]
            for _ in range(2)
        )
        (found,) = self.tool.run("cvt.rn.satfinite.s2f6x2.f32 %h0, %r1, %r2", [a, b])
        for i in range(LANES):
            for shift, pattern in ((8, a[i]), (0, b[i])):
                value = exact.decode(F32, pattern)
                number = Fraction(0) if isinstance(value, str) else value
                expected = min(max(round(number * 64), -128), 127) & 255
                self.assertEqual(found[i] >> shift & 255, expected)
        codes = list(range(0, 256, 8))
        (found,) = self.tool.run("cvt.rn.bf16x2.s2f6x2 %r0, %h1", [[c << 8 | 0x40 for c in codes]])
        for code, result in zip(codes, found, strict=True):
            value = Fraction(_signed(8, code), 64)
            self.assertEqual(result, exact.encode(BF16, value) << 16 | 0x3F80)

    def test_stochastic(self) -> None:
        """Exact values stay, and the share of values rounded up is the part cut off."""
        rng = random.Random(7)
        for kind, form, register in (("f16x2", F16, "r"), ("bf16x2", BF16, "r")):
            cut = F32.mantissa_bits - form.mantissa_bits
            ups = total = 0
            share = 0.0
            for _ in range(40):
                a = [0x3F800000 + rng.getrandbits(23) for _ in range(LANES)]
                random_bits = [rng.getrandbits(32) for _ in range(LANES)]
                (found,) = self.tool.run(
                    f"cvt.rs.{kind}.f32 %{register}0, %r1, %r2, %r3",
                    [a, a, random_bits],
                    target="sm_100a",
                )
                for i in range(LANES):
                    down = exact.encode(form, exact.decode(F32, a[i]), "rz")
                    rest = (a[i] & ((1 << cut) - 1)) / (1 << cut)
                    for half in (found[i] >> 16, found[i] & 0xFFFF):
                        self.assertIn(half - down, (0, 1))
                        ups += half - down
                        share += rest
                        total += 1
                    if rest == 0:
                        self.assertEqual(found[i] & 0xFFFF, down)
            self.assertLess(abs(ups - share), 4 * math.sqrt(total / 4), kind)
        row = [0x3F800000] * LANES
        (found,) = self.tool.run(
            "cvt.rs.satfinite.e4m3x4.f32 %r0, {%r1, %r2, %r3, %r4}, %r5",
            [
                row,
                [0x40000000] * LANES,
                [0xC0800000] * LANES,
                [0x7F800000] * LANES,
                [0xFFFFFFFF] * LANES,
            ],
            target="sm_100a",
        )
        self.assertEqual(found[0], 0x3840C87E)

    def test_pack(self) -> None:
        rng = random.Random(8)
        for kind in ("u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"):
            bits = int(kind[1:])
            low = -(1 << (bits - 1)) if kind[0] == "s" else 0
            high = low + (1 << bits) - 1
            a, b = (
                [
                    rng.choice([rng.randrange(-2 * high, 2 * high), rng.getrandbits(31)])
                    for _ in range(LANES)
                ]
                for _ in range(2)
            )
            c = [rng.getrandbits(32) for _ in range(LANES)]
            rows = [[x & 0xFFFFFFFF for x in a], [x & 0xFFFFFFFF for x in b]]
            if bits == 16:
                (found,) = self.tool.run(f"cvt.pack.sat.{kind}.s32 %r0, %r1, %r2", rows)
            else:
                (found,) = self.tool.run(
                    f"cvt.pack.sat.{kind}.s32.b32 %r0, %r1, %r2, %r3", [*rows, c]
                )
            ones = (1 << bits) - 1
            for i in range(LANES):
                x, y = (min(max(v, low), high) & ones for v in (a[i], b[i]))
                expected = x << bits | y | (c[i] << (2 * bits) if bits < 16 else 0)
                self.assertEqual(found[i], expected & 0xFFFFFFFF, kind)


class BaselineConvertOracleTest(ConvertOracleTest):
    baseline = True


if __name__ == "__main__":
    absltest.main()
