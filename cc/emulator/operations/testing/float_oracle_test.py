# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""f16, bf16, f32 and f64 arithmetic is what rounding the exact result once gives."""

import itertools
import math
import random

import exact
from absl.testing import absltest, parameterized
from exact import BF16, F16, F32, F64, Exact, Format
from tool import LANES, Tool

_FORMATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
_REGISTER = {
    "f16": "h",
    "bf16": "h",
    "f32": "r",
    "f64": "d",
    "f16x2": "r",
    "bf16x2": "r",
    "f32x2": "d",
}
_BATCHES = 6


def _specials(form: Format) -> list[int]:
    one = form.bias << form.mantissa_bits
    patterns = [
        0,
        1,
        2,
        3,
        (1 << form.mantissa_bits) - 1,
        1 << form.mantissa_bits,
        (1 << form.mantissa_bits) + 1,
        one,
        one + 1,
        one - 1,
        one + (1 << form.mantissa_bits),
        form.greatest,
        form.greatest - 1,
        form.greatest + 1,
        form.nan,
        form.nan - 1,
    ]
    return patterns + [p | 1 << (form.bits - 1) for p in patterns]


def _operands(form: Format, count: int, rng: random.Random) -> list[list[int]]:
    """Rows of lanes: special values, neighbours of each other, and any."""
    specials = _specials(form)
    rows = []
    for _ in range(count):
        row = []
        for _ in range(LANES):
            kind = rng.randrange(4)
            if kind == 0:
                row.append(rng.choice(specials))
            elif kind == 1:
                row.append(rng.getrandbits(form.bits))
            else:
                # Exponents near one another, so that sums round and cancel.
                middle = form.bias + rng.randrange(-2, 3) * (
                    2 if kind == 2 else form.mantissa_bits // 2
                )
                field = min(max(middle + rng.randrange(-2, 3), 0), (1 << form.exponent_bits) - 2)
                mantissa = rng.getrandbits(form.mantissa_bits) & rng.choice(
                    [-1, -1, 1 << (form.mantissa_bits - 1), 3, -1 << (form.mantissa_bits - 2)]
                )
                row.append(
                    rng.getrandbits(1) << (form.bits - 1) | field << form.mantissa_bits | mantissa
                )
        rows.append(row)
    return rows


def _flush(form: Format, pattern: int) -> int:
    if (pattern >> form.mantissa_bits) & ((1 << form.exponent_bits) - 1):
        return pattern
    return pattern & (1 << (form.bits - 1))


def _is_nan(form: Format, pattern: int) -> bool:
    return exact.decode(form, pattern) == "nan"


def _compute(operation: str, values: list[Exact], mode: str) -> Exact:
    if operation == "add":
        return exact.add(values[0], values[1], mode)
    if operation == "sub":
        return exact.add(values[0], exact.negate(values[1]), mode)
    if operation == "mul":
        return exact.multiply(values[0], values[1])
    if operation in ("fma", "mad"):
        return exact.add(exact.multiply(values[0], values[1]), values[2], mode)
    if operation == "div":
        return exact.divide(values[0], values[1])
    if operation == "sqrt":
        return exact.square_root(values[0])
    assert operation == "rcp"
    return exact.divide(exact.Fraction(1), values[0])


def _expected(
    operation: str,
    form: Format,
    patterns: list[int],
    modifiers: set[str],
    mode: str,
    narrow: Format | None,
) -> int:
    """PTX's result for one lane; of f64 the payload rule is looked at elsewhere."""
    formats = [narrow or form] * (len(patterns) - 1) + [form] if len(patterns) > 1 else [form]
    if "ftz" in modifiers:
        patterns = [_flush(f, p) for f, p in zip(formats, patterns, strict=True)]
    values = [exact.decode(f, p) for f, p in zip(formats, patterns, strict=True)]
    result = _compute(operation, values, mode)
    bits = exact.encode(form, result, mode)
    if "ftz" in modifiers:
        bits = _flush(form, bits)
    if "sat" in modifiers:
        one = form.bias << form.mantissa_bits
        if _is_nan(form, bits) or bits >> (form.bits - 1):
            return 0
        return min(bits, one)
    if "relu" in modifiers and not _is_nan(form, bits) and bits >> (form.bits - 1):
        return 0
    return bits


_SCALAR = []
for _op, _count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)):
    for _mode, _ftz, _sat in itertools.product(
        ("rn", "rz", "rm", "rp"), ("", ".ftz"), ("", ".sat")
    ):
        _SCALAR.append((f"{_op}.{_mode}{_ftz}{_sat}.f32", _count))
    for _mode in ("rn", "rz", "rm", "rp"):
        _SCALAR.append((f"{_op}.{_mode}.f64", _count))
    for _ftz, _sat in itertools.product(("", ".ftz"), ("", ".sat")):
        _SCALAR.append((f"{_op}.rn{_ftz}{_sat}.f16", _count))
    _SCALAR.append((f"{_op}.rn.bf16", _count))
for _op, _count in (("div", 2), ("sqrt", 1), ("rcp", 1)):
    for _mode, _ftz in itertools.product(("rn", "rz", "rm", "rp"), ("", ".ftz")):
        _SCALAR.append((f"{_op}.{_mode}{_ftz}.f32", _count))
    for _mode in ("rn", "rz", "rm", "rp"):
        _SCALAR.append((f"{_op}.{_mode}.f64", _count))
_SCALAR += [("fma.rn.relu.f16", 3), ("fma.rn.ftz.relu.f16", 3), ("fma.rn.relu.bf16", 3)]
_SCALAR += [
    (f"fma.{_mode}{_relu}.bf16", 3) for _mode in ("rz", "rm", "rp") for _relu in ("", ".relu")
]
_SCALAR += [
    ("rcp.approx.ftz.f32", 1),
    ("sqrt.approx.f32", 1),
    ("div.full.f32", 2),
    ("mad.rn.f32", 3),
]
_MIXED = [
    (f"{_op}.{_mode}{_sat}.f32.{_narrow}", _count)
    for _op, _count in (("add", 2), ("sub", 2), ("fma", 3))
    for _mode in ("rn", "rz", "rm", "rp")
    for _sat in ("", ".sat")
    for _narrow in ("f16", "bf16")
]
_PACKED = [
    (f"{_op}.{_mode}{_ftz}.f32x2", _count)
    for _op, _count in (("add", 2), ("mul", 2), ("fma", 3))
    for _mode in ("rn", "rz", "rm", "rp")
    for _ftz in ("", ".ftz")
]
_PACKED += [
    (f"{_op}.rn{_ftz}{_sat}.f16x2", _count)
    for _op, _count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3))
    for _ftz in ("", ".ftz")
    for _sat in ("", ".sat")
]
_PACKED += [(f"{_op}.rn.bf16x2", _count) for _op, _count in (("add", 2), ("mul", 2), ("fma", 3))]
_PACKED += [("fma.rn.relu.f16x2", 3), ("fma.rz.bf16x2", 3)]


def _statement(name: str, registers: str) -> str:
    return f"{name} " + ", ".join(f"%{r}{i}" for i, r in enumerate(registers))


class FloatOracleTest(parameterized.TestCase):
    baseline = False

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.tool = Tool(cls.baseline)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.tool.close()
        super().tearDownClass()

    def _same(self, form: Format, found: int, expected: int, message: str) -> None:
        # f64 keeps payloads: any NaN is right here, see test_f64_payloads.
        if form is F64 and _is_nan(form, expected):
            self.assertTrue(_is_nan(form, found), message)
            return
        self.assertEqual(found, expected, message)

    def _check(self, name: str, count: int, lanes_of: int = 1) -> None:
        words = name.split(".")
        kind = words[-1]
        narrow = None
        if kind in ("f16", "bf16") and words[-2] == "f32":
            narrow, kind = _FORMATS[words[-1]], "f32"
        form = _FORMATS[kind.removesuffix("x2")]
        mode = next((w for w in words if w in ("rn", "rz", "rm", "rp")), "rn")
        registers = [_REGISTER[kind]] * (count + 1)
        if narrow:
            registers[1:count] = ["h"] * (count - 1)
        statement = _statement(name, "".join(registers))
        rng = random.Random(name)
        for batch in range(_BATCHES):
            parts = []
            for _ in range(lanes_of):
                rows = _operands(form, count, rng)
                if narrow:
                    rows[:-1] = _operands(narrow, count - 1, rng)
                parts.append(rows)
            sources = [
                [
                    sum(parts[k][s][i] << (k * form.bits) for k in range(lanes_of))
                    for i in range(LANES)
                ]
                for s in range(count)
            ]
            mask = 0xFFFFFFFF if batch % 3 else rng.getrandbits(32) | 1
            before = [rng.getrandbits(form.bits * lanes_of) for _ in range(LANES)]
            (found,) = self.tool.run(statement, sources, before=[before], mask=mask)
            for i in range(LANES):
                if not mask >> i & 1:
                    self.assertEqual(found[i], before[i], f"{name}: an inactive lane changed")
                    continue
                for k in range(lanes_of):
                    patterns = [parts[k][s][i] for s in range(count)]
                    expected = _expected(words[0], form, patterns, set(words), mode, narrow)
                    part = found[i] >> (k * form.bits) & ((1 << form.bits) - 1)
                    self._same(
                        form,
                        part,
                        expected,
                        f"{name} {[hex(p) for p in patterns]}: {part:x}, expected {expected:x}",
                    )

    @parameterized.parameters(*_SCALAR)
    def test_scalar(self, name: str, count: int) -> None:
        self._check(name, count)

    @parameterized.parameters(*_MIXED)
    def test_mixed_precision(self, name: str, count: int) -> None:
        self._check(name, count)

    @parameterized.parameters(*_PACKED)
    def test_packed(self, name: str, count: int) -> None:
        self._check(name, count, 2)

    def test_every_f16_product_with_a_few(self) -> None:
        for other in (0x3C01, 0x0001, 0x7BFF, 0x8402):
            for start in range(0, 1 << 16, 2048 * LANES):
                for at in range(start, start + 64 * LANES, LANES):
                    a = list(range(at, at + LANES))
                    (found,) = self.tool.run("mul.f16 %h0, %h1, %h2", [a, [other] * LANES])
                    for pattern, result in zip(a, found, strict=True):
                        expected = _expected("mul", F16, [pattern, other], set(), "rn", None)
                        self.assertEqual(result, expected, f"{pattern:x} * {other:x}")

    def test_f64_payloads(self) -> None:
        quiet, signalling, other = 0x7FF8000000000123, 0xFFF0000000000456, 0x7FF8000000000789
        inf = 0x7FF0000000000000
        cases = [
            ("add.f64 %d0, %d1, %d2", [quiet, 0], quiet),
            ("add.f64 %d0, %d1, %d2", [0, signalling], signalling | 1 << 51),
            ("mul.f64 %d0, %d1, %d2", [quiet, other], quiet),
            ("fma.rn.f64 %d0, %d1, %d2, %d3", [0, 0, other], other),
            ("add.f64 %d0, %d1, %d2", [inf, inf | 1 << 63], 0xFFF8000000000000),
            ("add.rz.f64 %d0, %d1, %d2", [inf, inf | 1 << 63], 0xFFF8000000000000),
            ("add.rz.f64 %d0, %d1, %d2", [other, quiet], other),
            ("sqrt.rn.f64 %d0, %d1", [0xBFF0000000000000], 0xFFF8000000000000),
            ("min.f64 %d0, %d1, %d2", [quiet, other], quiet),
        ]
        for statement, operands, expected in cases:
            (found,) = self.tool.run(statement, [[p] * LANES for p in operands])
            self.assertEqual(hex(found[0]), hex(expected), statement)


class BaselineFloatOracleTest(FloatOracleTest):
    baseline = True


_EXTREMES = []
for _kind in ("f16", "f16x2", "bf16", "bf16x2", "f32"):
    for _op, _ftz, _nan, _xor in itertools.product(
        ("min", "max"), ("", ".ftz"), ("", ".NaN"), ("", ".xorsign.abs")
    ):
        if not (_ftz and _kind.startswith("b")):
            _EXTREMES.append((f"{_op}{_ftz}{_nan}{_xor}.{_kind}", 2))
for _op, _ftz, _nan, _abs in itertools.product(
    ("min", "max"), ("", ".ftz"), ("", ".NaN"), ("", ".abs")
):
    _EXTREMES.append((f"{_op}{_ftz}{_nan}{_abs}.f32", 3))
_EXTREMES += [("min.f64", 2), ("max.f64", 2)]


def _order(form: Format, pattern: int) -> int:
    magnitude = pattern & ((1 << (form.bits - 1)) - 1)
    return -1 - magnitude if pattern >> (form.bits - 1) else magnitude


def _extreme(words: set[str], form: Format, patterns: list[int], largest: bool) -> int:
    sign = 1 << (form.bits - 1)
    if "ftz" in words:
        patterns = [_flush(form, p) for p in patterns]
    signs = 0
    for pattern in patterns:
        signs ^= pattern & sign
    if "abs" in words:
        patterns = [p & ~sign for p in patterns]
    numbers = [p for p in patterns if not _is_nan(form, p)]
    if not numbers or ("NaN" in words and len(numbers) < len(patterns)):
        return form.nan
    best = (max if largest else min)(numbers, key=lambda p: _order(form, p))
    return best | signs if "xorsign" in words else best


_COMPARISONS = "eq ne lt le gt ge equ neu ltu leu gtu geu num nan".split()


def _holds(name: str, a: Exact, b: Exact) -> bool:
    unordered = "nan" in (a, b)
    if name in ("num", "nan"):
        return unordered == (name == "nan")
    if unordered:
        return name.endswith("u")
    x, y = (
        {"inf": math.inf, "-inf": -math.inf, "-0": 0}[v] if isinstance(v, str) else v
        for v in (a, b)
    )
    return {
        "eq": x == y,
        "ne": x != y,
        "lt": x < y,
        "le": x <= y,
        "gt": x > y,
        "ge": x >= y,
    }[name.removesuffix("u")]


class SelectionTest(parameterized.TestCase):
    """min, max, abs, neg, copysign, setp: no rounding, but signs, zeros and NaNs."""

    baseline = False

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.tool = Tool(cls.baseline)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.tool.close()
        super().tearDownClass()

    @parameterized.parameters(*_EXTREMES)
    def test_extremes(self, name: str, count: int) -> None:
        words = name.split(".")
        form = _FORMATS[words[-1].removesuffix("x2")]
        parts = 2 if words[-1].endswith("x2") else 1
        rng = random.Random(name)
        register = _REGISTER[words[-1]]
        for _ in range(_BATCHES):
            rows = [_operands(form, count, rng) for _ in range(parts)]
            sources = [
                [sum(rows[k][s][i] << (k * form.bits) for k in range(parts)) for i in range(LANES)]
                for s in range(count)
            ]
            (found,) = self.tool.run(_statement(name, register * (count + 1)), sources)
            for i, k in itertools.product(range(LANES), range(parts)):
                patterns = [rows[k][s][i] for s in range(count)]
                expected = _extreme(set(words), form, patterns, words[0] == "max")
                part = found[i] >> (k * form.bits) & ((1 << form.bits) - 1)
                if form is F64 and _is_nan(form, expected):
                    self.assertTrue(_is_nan(form, part))
                else:
                    self.assertEqual(part, expected, f"{name} {[hex(p) for p in patterns]}")

    @parameterized.parameters(
        *[
            (f"{op}{ftz}.{kind}")
            for op in ("abs", "neg")
            for kind in ("f16", "f16x2", "bf16", "bf16x2", "f32", "f64")
            for ftz in ("", ".ftz")
            if not ftz or kind in ("f16", "f16x2", "f32")
        ]
    )
    def test_signs(self, name: str) -> None:
        words = name.split(".")
        form = _FORMATS[words[-1].removesuffix("x2")]
        parts = 2 if words[-1].endswith("x2") else 1
        rng = random.Random(name)
        rows = [_operands(form, 1, rng)[0] for _ in range(parts)]
        source = [sum(rows[k][i] << (k * form.bits) for k in range(parts)) for i in range(LANES)]
        (found,) = self.tool.run(_statement(name, _REGISTER[words[-1]] * 2), [source])
        sign = 1 << (form.bits - 1)
        for i, k in itertools.product(range(LANES), range(parts)):
            pattern = rows[k][i]
            if "ftz" in words:
                pattern = _flush(form, pattern)
            expected = pattern & ~sign if words[0] == "abs" else pattern ^ sign
            self.assertEqual(found[i] >> (k * form.bits) & ((1 << form.bits) - 1), expected, name)

    def test_copysign(self) -> None:
        for kind, form in (("f32", F32), ("f64", F64)):
            signs, magnitudes = _operands(form, 2, random.Random(kind))
            statement = _statement(f"copysign.{kind}", _REGISTER[kind] * 3)
            (found,) = self.tool.run(statement, [signs, magnitudes])
            sign = 1 << (form.bits - 1)
            for i in range(LANES):
                self.assertEqual(found[i], magnitudes[i] & ~sign | signs[i] & sign)

    @parameterized.parameters(*_FORMATS)
    def test_comparisons(self, kind: str) -> None:
        form, register = _FORMATS[kind], _REGISTER[kind]
        row = "d" if kind == "f64" else "w"
        rng = random.Random(kind)
        for name, ftz in itertools.product(_COMPARISONS, ("", ".ftz")):
            if ftz and kind in ("f64", "bf16"):
                continue
            a, b = _operands(form, 2, rng)
            b = [x if rng.randrange(3) == 0 else y for x, y in zip(a, b, strict=True)]
            (p, _) = self.tool.run(
                f"setp.{name}{ftz}.{kind} %p0, %{register}1, %{register}2",
                [a, b],
                kinds=f"pp{row}{row}",
            )
            for i in range(LANES):
                patterns = [_flush(form, x) if ftz else x for x in (a[i], b[i])]
                holds = _holds(name, *(exact.decode(form, x) for x in patterns))
                self.assertEqual(
                    bool(p[0] >> i & 1), holds, f"{name}{ftz}.{kind} {a[i]:x} {b[i]:x}"
                )


class BaselineSelectionTest(SelectionTest):
    baseline = True


if __name__ == "__main__":
    absltest.main()
