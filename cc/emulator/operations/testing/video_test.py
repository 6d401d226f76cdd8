# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Video instructions follow the pseudo code of the PTX manual, written down here in CPython."""

import itertools
import random
from collections.abc import Callable

from absl.testing import absltest
from tool import LANES, Tool

_TYPES = ("u32", "s32")
_PRIMARY: dict[str, Callable[[int, int], int]] = {
    "vadd": lambda a, b: a + b,
    "vsub": lambda a, b: a - b,
    "vabsdiff": lambda a, b: abs(a - b),
    "vmin": min,
    "vmax": max,
    "vavrg": lambda a, b: (a + b + 1) >> 1 if a + b >= 0 else (a + b) >> 1,
}
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def _extend(value: int, bits: int, kind: str) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind[0] == "s" and value >> (bits - 1) else value


def _clamp(value: int, bits: int, kind: str) -> int:
    low = -(1 << (bits - 1)) if kind[0] == "s" else 0
    return min(max(value, low), low + (1 << bits) - 1)


class VideoTest(absltest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.tool = Tool()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.tool.close()
        super().tearDownClass()

    def setUp(self) -> None:
        super().setUp()
        rng = random.Random(self.id())
        edge = [0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x80808080, 0x7F7F7F7F, 0x80007FFF]
        self.a, self.b, self.c = (
            [rng.choice([*edge, rng.getrandbits(32), rng.getrandbits(32)]) for _ in range(LANES)]
            for _ in range(3)
        )

    def _run(self, statement: str, count: int = 3) -> list[int]:
        (found,) = self.tool.run(
            statement, [self.a, self.b, self.c][:count], kinds="w" * (count + 1)
        )
        return found

    def test_scalar(self) -> None:
        names = ("vadd", "vsub", "vabsdiff", "vmin", "vmax")
        for name, d, a, b, sat in itertools.product(names, _TYPES, _TYPES, _TYPES, ("", ".sat")):
            operation = f"{name}.{d}.{a}.{b}{sat}"
            plain = self._run(f"{operation} %r0, %r1.b2, %r2.h1", 2)
            merged = self._run(f"{operation} %r0.b1, %r1.b2, %r2.h1, %r3")
            second = {
                op: self._run(f"{operation}.{op} %r0, %r1.b2, %r2.h1, %r3")
                for op in ("add", "min", "max")
            }
            for i in range(LANES):
                x, y = _extend(self.a[i] >> 16, 8, a), _extend(self.b[i] >> 16, 16, b)
                t = _PRIMARY[name](x, y)
                full = _clamp(t, 32, d) if sat else t
                self.assertEqual(plain[i], full & 0xFFFFFFFF, operation)
                byte = (_clamp(t, 8, d) if sat else t) & 255
                self.assertEqual(merged[i], self.c[i] & ~0xFF00 | byte << 8, operation)
                r, third = _extend(full, 32, d), _extend(self.c[i], 32, d)
                self.assertEqual(second["add"][i], (r + third) & 0xFFFFFFFF)
                self.assertEqual(second["min"][i], min(r, third) & 0xFFFFFFFF)
                self.assertEqual(second["max"][i], max(r, third) & 0xFFFFFFFF)

    def test_shifts(self) -> None:
        for name, d, a, mode, sat in itertools.product(
            ("vshl", "vshr"), _TYPES, _TYPES, ("clamp", "wrap"), ("", ".sat")
        ):
            found = self._run(f"{name}.{d}.{a}.u32{sat}.{mode} %r0, %r1, %r2.b0", 2)
            for i in range(LANES):
                n = self.b[i] & 255
                n = n & 31 if mode == "wrap" else min(n, 32)
                x = _extend(self.a[i], 32, a)
                t = x << n if name == "vshl" else x >> n
                expected = _clamp(t, 32, d) if sat else t
                self.assertEqual(found[i], expected & 0xFFFFFFFF, f"{name}.{d}.{a}{sat}.{mode}")

    def test_mad(self) -> None:
        for a, b, sat, scale in itertools.product(
            _TYPES, _TYPES, ("", ".sat"), ("", ".shr7", ".shr15")
        ):
            d = "s32" if "s32" in (a, b) else "u32"
            operation = f"vmad.{d}.{a}.{b}"
            for form, na, nc, po in (("", 0, 0, 0), ("", 1, 0, 0), ("", 0, 1, 0), (".po", 0, 0, 1)):
                registers = f"%r0, {'-' if na else ''}%r1.h0, %r2.h1, {'-' if nc else ''}%r3"
                found = self._run(f"{operation}{form}{sat}{scale} {registers}")
                kind = "s32" if d == "s32" or na or nc else "u32"
                for i in range(LANES):
                    product = _extend(self.a[i], 16, a) * _extend(self.b[i] >> 16, 16, b)
                    c = _extend(self.c[i], 32, kind)
                    t = (-product if na else product) + (-c if nc else c) + po
                    t >>= {"": 0, ".shr7": 7, ".shr15": 15}[scale]
                    expected = _clamp(t, 32, kind) if sat else t
                    self.assertEqual(
                        found[i],
                        expected & 0xFFFFFFFF,
                        f"{operation}{form}{sat}{scale} {registers}",
                    )

    def test_set(self) -> None:
        for (name, holds), a, b in itertools.product(_COMPARE.items(), _TYPES, _TYPES):
            found = self._run(f"vset.{a}.{b}.{name} %r0, %r1, %r2", 2)
            counted = self._run(f"vset4.{a}.{b}.{name}.add %r0, %r1, %r2, %r3")
            masked = self._run(f"vset2.{a}.{b}.{name} %r0.h1, %r1, %r2, %r3")
            for i in range(LANES):
                x, y, c = self.a[i], self.b[i], self.c[i]
                self.assertEqual(found[i], int(holds(_extend(x, 32, a), _extend(y, 32, b))))
                count = sum(
                    holds(_extend(x >> 8 * k, 8, a), _extend(y >> 8 * k, 8, b)) for k in range(4)
                )
                self.assertEqual(counted[i], (c + count) & 0xFFFFFFFF)
                high = int(holds(_extend(x >> 16, 16, a), _extend(y >> 16, 16, b)))
                self.assertEqual(masked[i], high << 16 | c & 0xFFFF)

    def test_simd(self) -> None:
        for (name, primary), n, d, a, b, mode in itertools.product(
            _PRIMARY.items(), (2, 4), _TYPES, _TYPES, _TYPES, ("", ".sat", ".add")
        ):
            bits = 32 // n
            # Parts 0 to n-1 are a's, the others b's; here the sources are exchanged and turned.
            select = "h1" if n == 2 else "b1"
            order = [3, 0] if n == 2 else [4, 1, 6, 0]  # lane 0 first
            text = "".join(str(p) for p in reversed(order))
            operation = f"{name}{n}.{d}.{a}.{b}{mode}"
            plain = self._run(f"{operation} %r0, %r1, %r2, %r3")
            picked = self._run(f"{operation} %r0.{select}, %r1.{select[0]}{text}, %r2, %r3")
            for i in range(LANES):
                source = self.b[i] << 32 | self.a[i]
                for found, parts, mask in (
                    (plain[i], list(range(n)), range(n)),
                    (picked[i], order, [1]),
                ):
                    expected = self.c[i]
                    for k in mask:
                        x = _extend(source >> bits * parts[k], bits, a)
                        y = _extend(source >> bits * (n + k), bits, b)
                        t = primary(x, y)
                        if mode == ".add":
                            expected += t
                            continue
                        if mode == ".sat":
                            t = _clamp(t, bits, d)
                        ones = (1 << bits) - 1
                        expected = expected & ~(ones << bits * k) | (t & ones) << bits * k
                    self.assertEqual(found, expected & 0xFFFFFFFF, operation)


if __name__ == "__main__":
    absltest.main()
