# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Integer, bit, comparison, move and video operations agree with CPython's integers."""

import random
from collections.abc import Callable

from absl.testing import absltest, parameterized
from tool import LANES, Tool

_REGISTER = {8: "c", 16: "h", 32: "r", 64: "d"}
_BATCHES = 4


def _bits(kind: str) -> int:
    return int(kind[1:])


def _value(kind: str, pattern: int) -> int:
    """The number that a pattern is as s8 … u64."""
    bits = _bits(kind)
    pattern &= (1 << bits) - 1
    return pattern - (1 << bits) if kind[0] == "s" and pattern >> (bits - 1) else pattern


def _clamp(kind: str, value: int) -> int:
    bits = _bits(kind)
    low = -(1 << (bits - 1)) if kind[0] == "s" else 0
    return min(max(value, low), low + (1 << bits) - 1)


def _quotient(a: int, b: int) -> int:
    return -(-a // b) if (a < 0) != (b < 0) and a % b else a // b


def _random(bits: int, rng: random.Random) -> int:
    kind = rng.randrange(4)
    if kind == 0:
        edge = [0, 1, 2, (1 << bits) - 1, (1 << bits) - 2, 1 << (bits - 1), (1 << (bits - 1)) - 1]
        return rng.choice(edge)
    if kind == 1:
        return 1 << rng.randrange(bits)
    if kind == 2:
        return rng.getrandbits(bits) >> rng.randrange(bits)
    return rng.getrandbits(bits)


def _count(rng: random.Random) -> int:
    return rng.choice(
        [0, 1, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 255, 256, 1 << 31, rng.randrange(70)]
    )


Reference = Callable[..., int]
# Name, result bits, kinds of the sources ("n": a shift count or position), reference on values.
_CASES: list[tuple[str, int, str, Reference]] = []


def _case(name: str, result: int, sources: str, reference: Reference) -> None:
    _CASES.append((name, result, sources, reference))


for _t in ("u16", "s16", "u32", "s32", "u64", "s64"):
    _b = _bits(_t)
    _case(f"add.{_t}", _b, f"{_t} {_t}", lambda a, b: a + b)
    _case(f"sub.{_t}", _b, f"{_t} {_t}", lambda a, b: a - b)
    _case(f"mul.lo.{_t}", _b, f"{_t} {_t}", lambda a, b: a * b)
    _case(f"mul.hi.{_t}", _b, f"{_t} {_t}", lambda a, b, n=_b: (a * b) >> n)
    _case(f"mad.lo.{_t}", _b, f"{_t} {_t} {_t}", lambda a, b, c: a * b + c)
    _case(f"mad.hi.{_t}", _b, f"{_t} {_t} {_t}", lambda a, b, c, n=_b: ((a * b) >> n) + c)
    _case(f"min.{_t}", _b, f"{_t} {_t}", min)
    _case(f"max.{_t}", _b, f"{_t} {_t}", max)
    _case(f"sad.{_t}", _b, f"{_t} {_t} {_t}", lambda a, b, c: c + abs(a - b))
    _case(f"div.{_t}", _b, f"{_t} {_t}", lambda a, b: _quotient(a, b) if b else -1)
    _case(f"rem.{_t}", _b, f"{_t} {_t}", lambda a, b: a - b * _quotient(a, b) if b else a)
    _case(f"shr.{_t}", _b, f"{_t} n", lambda a, n: a >> min(n, 64))
    if _t[0] == "s":
        _case(f"abs.{_t}", _b, _t, abs)
        _case(f"neg.{_t}", _b, _t, lambda a: -a)
    if _b < 64:
        _case(f"mul.wide.{_t}", 2 * _b, f"{_t} {_t}", lambda a, b: a * b)
        _case(f"mad.wide.{_t}", 2 * _b, f"{_t} {_t} {_t[0]}{2 * _b}", lambda a, b, c: a * b + c)
for _b in (16, 32, 64):
    _case(f"shl.b{_b}", _b, f"b{_b} n", lambda a, n, b=_b: a << n if n < b else 0)
    _case(f"and.b{_b}", _b, f"b{_b} b{_b}", lambda a, b: a & b)
    _case(f"or.b{_b}", _b, f"b{_b} b{_b}", lambda a, b: a | b)
    _case(f"xor.b{_b}", _b, f"b{_b} b{_b}", lambda a, b: a ^ b)
    _case(f"not.b{_b}", _b, f"b{_b}", lambda a: ~a)
    _case(f"cnot.b{_b}", _b, f"b{_b}", lambda a: int(a == 0))


def _low24(kind: str, value: int) -> int:
    value &= 0xFFFFFF
    return value - (1 << 24) if kind[0] == "s" and value >> 23 else value


def _field(kind: str, a: int, position: int, length: int) -> int:
    """bfe as the manual's pseudo code has it, bit by bit."""
    position, length, top = position & 255, length & 255, _bits(kind) - 1
    pattern = a & ((1 << (top + 1)) - 1)
    last = min(position + max(length, 1) - 1, top)
    sign = 0 if kind[0] == "u" or length == 0 else pattern >> last & 1
    result = 0
    for i in range(top + 1):
        inside = i < length and position + i <= top
        result |= (pattern >> (position + i) & 1 if inside else sign) << i
    return result


def _insert(bits: int, a: int, b: int, position: int, length: int) -> int:
    position, length = position & 255, length & 255
    for i in range(length):
        if position + i < bits:
            b = b & ~(1 << (position + i)) | (a >> i & 1) << (position + i)
    return b


def _highest(kind: str, a: int, shift: bool) -> int:
    bits = ~a if a < 0 else a
    if bits == 0:
        return -1
    return _bits(kind) - bits.bit_length() if shift else bits.bit_length() - 1


def _nth_set(mask: int, base: int, offset: int) -> int:
    offset = _value("s32", offset)
    if base > 31:
        return -1
    if offset == 0:
        return base if mask >> base & 1 else -1
    places = range(base, 32) if offset > 0 else range(base, -1, -1)
    found = [i for i in places if mask >> i & 1]
    return found[abs(offset) - 1] if len(found) >= abs(offset) else -1


def _mask_of(a: int, b: int, wrap: bool) -> int:
    if wrap:
        a, b = a & 31, b & 31
    return sum(1 << i for i in range(32) if a <= i < a + b)


def _extended(kind: str, a: int, n: int, wrap: bool) -> int:
    n = n & 31 if wrap else n
    if n >= 32 or n == 0:
        return a if n else 0
    return _value(f"{kind[0]}{32}", (a & ((1 << n) - 1)) << (32 - n)) >> (32 - n)


def _lop3(table: int, a: int, b: int, c: int) -> int:
    return sum(
        (table >> (4 * (a >> i & 1) + 2 * (b >> i & 1) + (c >> i & 1)) & 1) << i for i in range(32)
    )


def _bytes(kind: str, value: int) -> list[int]:
    return [_value(f"{kind[0]}8", value >> (8 * i)) for i in range(4)]


def _halves(kind: str, value: int) -> list[int]:
    return [_value(f"{kind[0]}16", value >> (16 * i)) for i in range(2)]


def _permute(selector: int, a: int, b: int) -> int:
    source, result = b << 32 | a, 0
    for i in range(4):
        pick = selector >> (4 * i) & 15
        byte = source >> (8 * (pick & 7)) & 255
        if pick & 8:
            byte = 255 if byte >> 7 else 0
        result |= byte << (8 * i)
    return result


for _t in ("u32", "s32"):
    for _part, _shift in (("lo", 0), ("hi", 16)):
        _case(
            f"mul24.{_part}.{_t}",
            32,
            f"{_t} {_t}",
            lambda a, b, t=_t, s=_shift: (_low24(t, a) * _low24(t, b)) >> s,
        )
        _case(
            f"mad24.{_part}.{_t}",
            32,
            f"{_t} {_t} {_t}",
            lambda a, b, c, t=_t, s=_shift: ((_low24(t, a) * _low24(t, b)) >> s) + c,
        )
    for _mode in ("clamp", "wrap"):
        _case(
            f"szext.{_mode}.{_t}",
            32,
            f"{_t} n",
            lambda a, n, t=_t, w=_mode == "wrap": _extended(t, a, n, w),
        )
    for _u in ("u32", "s32"):
        _case(
            f"dp4a.{_t}.{_u}",
            32,
            "b32 b32 b32",
            lambda a, b, c, t=_t, u=_u: (
                c + sum(x * y for x, y in zip(_bytes(t, a), _bytes(u, b), strict=True))
            ),
        )
        for _part, _at in (("lo", 0), ("hi", 2)):
            _case(
                f"dp2a.{_part}.{_t}.{_u}",
                32,
                "b32 b32 b32",
                lambda a, b, c, t=_t, u=_u, i=_at: (
                    c
                    + sum(
                        x * y for x, y in zip(_halves(t, a), _bytes(u, b)[i : i + 2], strict=True)
                    )
                ),
            )
for _t in ("u32", "s32", "u64", "s64"):
    _case(f"bfe.{_t}", _bits(_t), f"{_t} n n", lambda a, p, n, t=_t: _field(t, a, p, n))
    _case(f"bfind.{_t}", 32, _t, lambda a, t=_t: _highest(t, a, False))
    _case(f"bfind.shiftamt.{_t}", 32, _t, lambda a, t=_t: _highest(t, a, True))
for _b in (32, 64):
    _case(f"bfi.b{_b}", _b, f"b{_b} b{_b} n n", lambda a, b, p, n, w=_b: _insert(w, a, b, p, n))
    _case(f"popc.b{_b}", 32, f"b{_b}", lambda a: a.bit_count())
    _case(f"clz.b{_b}", 32, f"b{_b}", lambda a, w=_b: w - a.bit_length())
    _case(f"brev.b{_b}", _b, f"b{_b}", lambda a, w=_b: int(f"{a:0{w}b}"[::-1], 2))
for _mode in ("clamp", "wrap"):
    _wrap = _mode == "wrap"
    _case(f"bmsk.{_mode}.b32", 32, "n n", lambda a, b, w=_wrap: _mask_of(a, b, w))
    _case(
        f"shf.l.{_mode}.b32",
        32,
        "b32 b32 n",
        lambda a, b, n, w=_wrap: (b << 32 | a) << (n & 31 if w else min(n, 32)) >> 32,
    )
    _case(
        f"shf.r.{_mode}.b32",
        32,
        "b32 b32 n",
        lambda a, b, n, w=_wrap: (b << 32 | a) >> (n & 31 if w else min(n, 32)),
    )
_case("fns.b32", 32, "b32 n n", lambda m, b, o: _nth_set(m, b, o))
_case("prmt.b32", 32, "b32 b32 b32", lambda a, b, c: _permute(c, a, b))
_MODES = {
    "f4e": [0x3210, 0x4321, 0x5432, 0x6543],
    "b4e": [0x5670, 0x6701, 0x7012, 0x0123],
    "rc8": [0x0000, 0x1111, 0x2222, 0x3333],
    "ecl": [0x3210, 0x3211, 0x3222, 0x3333],
    "ecr": [0x0000, 0x1110, 0x2210, 0x3210],
    "rc16": [0x1010, 0x3232, 0x1010, 0x3232],
}
for _mode, _selectors in _MODES.items():
    _case(
        f"prmt.b32.{_mode}",
        32,
        "b32 b32 b32",
        lambda a, b, c, s=_selectors: _permute(s[c & 3], a, b),
    )
_case("add.sat.s32", 32, "s32 s32", lambda a, b: _clamp("s32", a + b))
_case("add.sat.u32", 32, "u32 u32", lambda a, b: _clamp("u32", a + b))
_case("sub.sat.s32", 32, "s32 s32", lambda a, b: _clamp("s32", a - b))
_case("mad.hi.sat.s32", 32, "s32 s32 s32", lambda a, b, c: _clamp("s32", ((a * b) >> 32) + c))
_case(
    "mad24.hi.sat.s32",
    32,
    "s32 s32 s32",
    lambda a, b, c: _clamp("s32", _value("s32", (_low24("s32", a) * _low24("s32", b)) >> 16) + c),
)
_case("min.relu.s32", 32, "s32 s32", lambda a, b: max(min(a, b), 0))
_case("max.relu.s32", 32, "s32 s32", lambda a, b: max(a, b, 0))


def _packed(kind: str, parts: int, reference: Reference) -> Reference:
    bits = 32 // parts

    def run(*values: int) -> int:
        result = 0
        for i in range(parts):
            lanes = [_value(kind, value >> (bits * i)) for value in values]
            result |= (reference(*lanes) & ((1 << bits) - 1)) << (bits * i)
        return result

    return run


for _kind, _parts in (("u16", 2), ("s16", 2), ("u8", 4), ("s8", 4)):
    _name = f"{_kind}x{_parts}"
    _case(f"add.{_name}", 32, "b32 b32", _packed(_kind, _parts, lambda a, b: a + b))
    _case(
        f"add.sat.{_name}",
        32,
        "b32 b32",
        _packed(_kind, _parts, lambda a, b, t=_kind: _clamp(t, a + b)),
    )
    _case(f"min.{_name}", 32, "b32 b32", _packed(_kind, _parts, min))
    _case(f"max.{_name}", 32, "b32 b32", _packed(_kind, _parts, max))
    if _kind[0] == "s":
        _case(f"max.relu.{_name}", 32, "b32 b32", _packed(_kind, _parts, lambda a, b: max(a, b, 0)))
        _case(
            f"min.relu.{_name}",
            32,
            "b32 b32",
            _packed(_kind, _parts, lambda a, b: max(min(a, b), 0)),
        )
_case("neg.s8x4", 32, "b32", _packed("s8", 4, lambda a: -a))


class IntegerOracleTest(parameterized.TestCase):
    baseline = False

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.tool = Tool(cls.baseline)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.tool.close()
        super().tearDownClass()

    @parameterized.named_parameters(*[(case[0], case) for case in _CASES])
    def test(self, case: tuple[str, int, str, Reference]) -> None:
        name, result_bits, sources, reference = case
        kinds = sources.split()
        rng = random.Random(name)
        registers = [_REGISTER[result_bits]]
        registers += ["r" if k == "n" else _REGISTER[_bits(k)] for k in kinds]
        statement = f"{name} " + ", ".join(f"%{r}{i}" for i, r in enumerate(registers))
        for batch in range(_BATCHES):
            rows = [
                [_count(rng) if k == "n" else _random(_bits(k), rng) for _ in range(LANES)]
                for k in kinds
            ]
            mask = rng.getrandbits(32) | 1 if batch == 0 else 0xFFFFFFFF
            before = [rng.getrandbits(result_bits) for _ in range(LANES)]
            (found,) = self.tool.run(statement, rows, before=[before], mask=mask)
            for i in range(LANES):
                values = [
                    row[i] if k == "n" else _value(k, row[i])
                    for k, row in zip(kinds, rows, strict=True)
                ]
                expected = reference(*values) & ((1 << result_bits) - 1)
                if not mask >> i & 1:
                    expected = before[i]
                self.assertEqual(found[i], expected, f"{name} {[hex(v) for v in values]}")

    @parameterized.parameters(*range(0, 256, 5))
    def test_lop3(self, table: int) -> None:
        rng = random.Random(table)
        a, b, c = ([rng.getrandbits(32) for _ in range(LANES)] for _ in range(3))
        (found,) = self.tool.run(f"lop3.b32 %r0, %r1, %r2, %r3, {table}", [a, b, c])
        self.assertEqual(found, [_lop3(table, x, y, z) for x, y, z in zip(a, b, c, strict=True)])
        q = rng.getrandbits(32)
        zeros = [x if i % 2 else 0 for i, x in enumerate(a)]
        for name, combine in (("or", lambda x, y: x | y), ("and", lambda x, y: x & y)):
            d, p = self.tool.run(
                f"lop3.{name}.b32 %r0|%p0, %r1, %r2, %r3, {table}, !%p1",
                [zeros, b, zeros, [q]],
                kinds="wpwwwp",
            )
            nonzero = sum((x != 0) << i for i, x in enumerate(d))
            self.assertEqual(p[0], combine(nonzero, ~q & 0xFFFFFFFF))


class BaselineIntegerOracleTest(IntegerOracleTest):
    baseline = True


class PredicateTest(parameterized.TestCase):
    baseline = False

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.tool = Tool(cls.baseline)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.tool.close()
        super().tearDownClass()

    def test_logic(self) -> None:
        rng = random.Random(1)
        for name, count, reference in (
            ("and", 2, lambda a, b: a & b),
            ("or", 2, lambda a, b: a | b),
            ("xor", 2, lambda a, b: a ^ b),
            ("not", 1, lambda a: ~a),
            ("mov", 1, lambda a: a),
        ):
            values = [rng.getrandbits(32) for _ in range(count)]
            before, mask = rng.getrandbits(32), rng.getrandbits(32)
            registers = ", ".join(f"%p{i}" for i in range(count + 1))
            (found,) = self.tool.run(
                f"{name}.pred {registers}", [[v] for v in values], before=[[before]], mask=mask
            )
            self.assertEqual(found[0], before & ~mask | reference(*values) & mask, name)

    @parameterized.parameters("u16", "s16", "b16", "u32", "s32", "b32", "u64", "s64", "b64")
    def test_setp(self, kind: str) -> None:
        comparisons: dict[str, Callable[[int, int], bool]] = {
            "eq": lambda a, b: a == b,
            "ne": lambda a, b: a != b,
        }
        if kind[0] != "b":
            comparisons |= {
                "lt": lambda a, b: a < b,
                "le": lambda a, b: a <= b,
                "gt": lambda a, b: a > b,
                "ge": lambda a, b: a >= b,
            }
        if kind[0] == "u":
            comparisons |= {"lo": comparisons["lt"], "hs": comparisons["ge"]}
            comparisons |= {"ls": comparisons["le"], "hi": comparisons["gt"]}
        rng = random.Random(kind)
        r = _REGISTER[_bits(kind)]
        row = "d" if _bits(kind) == 64 else "w"
        for name, holds in comparisons.items():
            a = [_random(_bits(kind), rng) for _ in range(LANES)]
            b = [x if rng.randrange(3) == 0 else _random(_bits(kind), rng) for x in a]
            t = sum(
                holds(_value(kind, x), _value(kind, y)) << i
                for i, (x, y) in enumerate(zip(a, b, strict=True))
            )
            mask, before = rng.getrandbits(32), rng.getrandbits(32)
            (p, _) = self.tool.run(
                f"setp.{name}.{kind} %p0, %{r}1, %{r}2",
                [a, b],
                kinds=f"pp{row}{row}",
                before=[[before]],
                mask=mask,
            )
            self.assertEqual(p[0], before & ~mask | t & mask, name)
            c = rng.getrandbits(32)
            for combine, reference in (
                ("and", lambda x, y: x & y),
                ("or", lambda x, y: x | y),
                ("xor", lambda x, y: x ^ y),
            ):
                p, q = self.tool.run(
                    f"setp.{name}.{combine}.{kind} %p0|%p1, %{r}1, %{r}2, !%p2",
                    [a, b, [c]],
                    kinds=f"pp{row}{row}p",
                )
                other = ~c & 0xFFFFFFFF
                self.assertEqual(p[0], reference(t, other))
                self.assertEqual(q[0], reference(~t & 0xFFFFFFFF, other))
            if name == "lt" and kind != "b16":
                (d,) = self.tool.run(f"set.{name}.u32.{kind} %r0, %{r}1, %{r}2", [a, b])
                self.assertEqual(d, [0xFFFFFFFF if t >> i & 1 else 0 for i in range(LANES)])
                (d,) = self.tool.run(f"set.{name}.f32.{kind} %r0, %{r}1, %{r}2", [a, b])
                self.assertEqual(d, [0x3F800000 if t >> i & 1 else 0 for i in range(LANES)])

    def test_setp_floats(self) -> None:
        """Ordered comparisons are false of NaN, unordered ones true; ftz makes subnormals equal."""
        nan, one, tiny, negative_zero = 0x7FC00000, 0x3F800000, 1, 0x80000000
        pairs = [
            (nan, one),
            (one, nan),
            (nan, nan),
            (0, negative_zero),
            (tiny, 0),
            (one, tiny),
            (0, one),
        ]
        values = {one: 1.0, 0: 0.0, negative_zero: 0.0}
        holds: dict[str, Callable[[float, float], bool]] = {
            "eq": lambda a, b: a == b,
            "ne": lambda a, b: a != b,
            "lt": lambda a, b: a < b,
            "le": lambda a, b: a <= b,
            "gt": lambda a, b: a > b,
            "ge": lambda a, b: a >= b,
        }
        rows = [[p[i] for p in pairs] + [0] * (LANES - len(pairs)) for i in range(2)]
        for ftz in ("", ".ftz"):
            values[tiny] = 0.0 if ftz else 1e-45
            for name in [*holds, *(n + "u" for n in holds), "num", "nan"]:
                (p, _) = self.tool.run(f"setp.{name}{ftz}.f32 %p0, %r1, %r2", rows, kinds="ppww")
                for i, (a, b) in enumerate(pairs):
                    unordered = nan in (a, b)
                    if name in ("num", "nan"):
                        expected = unordered == (name == "nan")
                    elif unordered:
                        expected = name.endswith("u")
                    else:
                        expected = holds[name.removesuffix("u")](values[a], values[b])
                    self.assertEqual(bool(p[0] >> i & 1), expected, f"{name}{ftz} {a:x} {b:x}")

    def test_setp_halves(self) -> None:
        a = [0x3C004000] * LANES  # 1, 2
        b = [0x40003C00] * LANES  # 2, 1
        p, q = self.tool.run("setp.lt.f16x2 %p0|%p1, %r1, %r2", [a, b], kinds="ppww")
        self.assertEqual((p[0], q[0]), (0, 0xFFFFFFFF))
        (d,) = self.tool.run("set.lt.f16x2.f16x2 %r0, %r1, %r2", [a, b])
        self.assertEqual(d[0], 0x3C000000)
        (d,) = self.tool.run("set.lt.bf16x2.bf16x2 %r0, %r1, %r2", [a, b])
        self.assertEqual(d[0], 0x3F800000)

    def test_selection(self) -> None:
        rng = random.Random(2)
        for bits in (16, 32, 64):
            r = _REGISTER[bits]
            a, b = ([rng.getrandbits(bits) for _ in range(LANES)] for _ in range(2))
            p = rng.getrandbits(32)
            (d,) = self.tool.run(f"selp.b{bits} %{r}0, %{r}1, %{r}2, %p0", [a, b, [p]])
            self.assertEqual(d, [a[i] if p >> i & 1 else b[i] for i in range(LANES)])
            c = [_random(32, rng) for _ in range(LANES)]
            (d,) = self.tool.run(f"slct.b{bits}.s32 %{r}0, %{r}1, %{r}2, %r3", [a, b, c])
            self.assertEqual(d, [b[i] if c[i] >> 31 else a[i] for i in range(LANES)])
            f = [
                rng.choice([0, 1 << 31, 0x3F800000, 0xBF800000, 0x7FC00000, 0x80000001])
                for _ in range(LANES)
            ]
            for ftz in ("", ".ftz"):
                (d,) = self.tool.run(f"slct{ftz}.b{bits}.f32 %{r}0, %{r}1, %{r}2, %r3", [a, b, f])
                first = {0, 1 << 31, 0x3F800000} | ({0x80000001} if ftz else set())
                self.assertEqual(d, [a[i] if f[i] in first else b[i] for i in range(LANES)])

    def test_testp(self) -> None:
        values = {
            0: "finite number normal",
            1: "finite number subnormal",
            0x7F800000: "infinite number",
            0x7FC00000: "notanumber",
            0x3F800000: "finite number normal",
            0xFF800000: "infinite number",
        }
        row = [*values, *[0] * (LANES - len(values))]
        for name in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
            (p,) = self.tool.run(f"testp.{name}.f32 %p0, %r1", [row])
            for i, properties in enumerate(values.values()):
                self.assertEqual(
                    bool(p[0] >> i & 1), name in properties.split(), f"{name} {row[i]:x}"
                )


class BaselinePredicateTest(PredicateTest):
    baseline = True


class ExtendedPrecisionTest(absltest.TestCase):
    """256-bit numbers, as a chain of the operations."""

    def test_chains(self) -> None:
        tool = Tool()
        rng = random.Random(3)
        # Of 16 bits there is no .cc, so the carry comes from an addition of 32 bits. Its sum goes
        # nowhere: a register could share the row of one that is read before it is written.
        for carry in (0, 1):
            first = f"add.cc.u32 _, {carry:#x}, 0xffffffff; "
            for name, expected in (
                ("addc", 0xFFF0 + 0x11 + carry),
                ("subc", 0xFFF0 - 0x11 - carry),
            ):
                (found,) = tool.run(
                    f"{first}{name}.u16 %h0, %h1, %h2", [[0xFFF0] * LANES, [0x11] * LANES]
                )
                self.assertEqual(found[0], expected & 0xFFFF)
            (found,) = tool.run(f"{first}madc.lo.s16 %h0, %h1, %h2, %h3", [[300] * LANES] * 3)
            self.assertEqual(found[0], (300 * 300 + 300 + carry) & 0xFFFF)
        for bits in (32, 64):
            r = _REGISTER[bits]
            edge = [0, (1 << bits) - 1, 1 << (bits - 1)]
            for name in ("add", "sub"):
                a, b, c, d = (
                    [rng.choice([*edge, rng.getrandbits(bits)]) for _ in range(LANES)]
                    for _ in range(4)
                )
                for i in range(LANES):
                    low = a[i] + b[i] if name == "add" else a[i] - b[i]
                    carry = int(not 0 <= low < 1 << bits)
                    high = c[i] + d[i] + carry if name == "add" else c[i] - d[i] - carry
                    statements = (
                        f"{name}.cc.u{bits} _, {a[i]:#x}, {b[i]:#x}; "
                        f"{name}c.u{bits} %{r}0, %{r}1, %{r}2"
                    )
                    if i % 4 == 0:
                        (found,) = tool.run(statements, [[c[i]] * LANES, [d[i]] * LANES])
                        self.assertEqual(found[0], high & ((1 << bits) - 1), statements)
            for part in ("lo", "hi"):
                for kind in ("u", "s"):
                    for _ in range(8):
                        x, y, z = (rng.choice([*edge, rng.getrandbits(bits)]) for _ in range(3))
                        product = _value(f"{kind}{bits}", x) * _value(f"{kind}{bits}", y)
                        low = (product >> (bits if part == "hi" else 0)) & ((1 << bits) - 1)
                        carry = low + z >> bits
                        statements = (
                            f"mad.{part}.cc.{kind}{bits} _, {x:#x}, {y:#x}, {z:#x}; "
                            f"addc.u{bits} %{r}0, %{r}1, %{r}2"
                        )
                        (found,) = tool.run(statements, [[5] * LANES, [7] * LANES])
                        self.assertEqual(found[0], 12 + carry, statements)
        tool.close()


class MoveTest(absltest.TestCase):
    def test_vectors(self) -> None:
        tool = Tool()
        rng = random.Random(4)
        for whole, count in ((16, 2), (32, 2), (32, 4), (64, 2), (64, 4), (128, 2), (128, 4)):
            part = whole // count
            w = "q" if whole == 128 else _REGISTER[whole]
            e = _REGISTER[part]
            rows = [[rng.getrandbits(part) for _ in range(LANES)] for _ in range(count)]
            vector = ", ".join(f"%{e}{i + 1}" for i in range(count))
            (packed,) = tool.run(f"mov.b{whole} %{w}0, {{{vector}}}", rows)
            expected = [sum(rows[k][i] << (part * k) for k in range(count)) for i in range(LANES)]
            self.assertEqual(packed, expected)
            kinds = ("d" if part == 64 else "w") * count + {128: "q", 64: "d"}.get(whole, "w")
            unpacked = tool.run(f"mov.b{whole} {{{vector}}}, %{w}0", [packed], kinds=kinds)
            self.assertEqual(unpacked, rows)
        tool.close()


if __name__ == "__main__":
    absltest.main()
