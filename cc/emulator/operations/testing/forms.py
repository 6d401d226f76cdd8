# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Candidate statements: every arithmetic opcode with every combination of modifiers and types.

Most are no PTX. ptxas says which are (forms_test.py).
"""

import itertools
from collections.abc import Iterator, Sequence

_BITS = {
    **{f"{sign}{bits}": bits for bits in (8, 16, 32, 64) for sign in "us"},
    **{f"b{bits}": bits for bits in (16, 32, 64)},
    "f16": 16,
    "f16x2": 32,
    "bf16": 16,
    "bf16x2": 32,
    "f32": 32,
    "f64": 64,
    "f32x2": 64,
    "u16x2": 32,
    "s16x2": 32,
    "u8x4": 32,
    "s8x4": 32,
    "pred": 1,
}
_TYPES = tuple(_BITS)
_ROUNDINGS = ("", ".rn", ".rz", ".rm", ".rp")
_FTZ = ("", ".ftz")
_VIDEO_TYPES = ("u32", "s32")


def _r(kind: str, index: int) -> str:
    return {1: "%p", 8: "%c", 16: "%h", 32: "%r", 64: "%d"}[_BITS[kind]] + str(index)


def _uniform(
    opcode: str, modifiers: Sequence[Sequence[str]], count: int, types: Sequence[str] = _TYPES
) -> Iterator[str]:
    """All operands of one type."""
    for chosen in itertools.product(*modifiers):
        for kind in types:
            operands = ", ".join(_r(kind, i) for i in range(count + 1))
            yield f"{opcode}{''.join(chosen)}.{kind} {operands}"


def _arithmetic() -> Iterator[str]:
    for opcode in ("add", "sub"):
        yield from _uniform(opcode, [_ROUNDINGS, _FTZ, ("", ".sat")], 2)
        yield from _uniform(opcode, [(".cc",)], 2)
        yield from _uniform(opcode + "c", [("", ".cc")], 2)
    yield from _uniform("mul", [("", ".lo", ".hi"), _ROUNDINGS, _FTZ, ("", ".sat")], 2)
    for opcode in ("mad", "fma"):
        ends = ("", ".sat", ".relu", ".oob", ".oob.relu")
        yield from _uniform(opcode, [("", ".lo", ".hi"), _ROUNDINGS, _FTZ, ends], 3)
    yield from _uniform("mad", [(".lo", ".hi"), (".cc",)], 3)
    yield from _uniform("madc", [(".lo", ".hi"), ("", ".cc")], 3)
    for opcode, narrow in itertools.product(("add", "sub", "fma"), ("f16", "bf16")):
        for chosen in itertools.product(_ROUNDINGS, _FTZ, ("", ".sat")):
            sources = "%h1, %h2, %r3" if opcode == "fma" else "%h1, %r2"
            yield f"{opcode}{''.join(chosen)}.f32.{narrow} %r0, {sources}"
    for narrow, wide in (("u16", "u32"), ("s16", "s32"), ("u32", "u64"), ("s32", "s64")):
        yield f"mul.wide.{narrow} {_r(wide, 0)}, {_r(narrow, 1)}, {_r(narrow, 2)}"
        yield f"mad.wide.{narrow} {_r(wide, 0)}, {_r(narrow, 1)}, {_r(narrow, 2)}, {_r(wide, 3)}"
    yield from _uniform("mul24", [(".lo", ".hi")], 2)
    yield from _uniform("mad24", [(".lo", ".hi"), ("", ".sat")], 3)
    yield from _uniform("sad", [], 3)
    precisions = ("", ".approx", ".full", ".rn", ".rz", ".rm", ".rp")
    yield from _uniform("div", [precisions, _FTZ], 2)
    yield from _uniform("rem", [], 2)
    for opcode in ("ex2", "lg2", "sin", "cos", "tanh", "rsqrt", "rcp", "sqrt"):
        yield from _uniform(opcode, [precisions, _FTZ], 1)
    for opcode in ("abs", "neg"):
        yield from _uniform(opcode, [_FTZ, ("", ".sat")], 1)
    for opcode in ("min", "max"):
        modifiers = [_FTZ, ("", ".NaN"), ("", ".xorsign.abs", ".abs"), ("", ".relu")]
        yield from _uniform(opcode, modifiers, 2)
        yield from _uniform(opcode, modifiers, 3)
    yield from _uniform("copysign", [], 2)


def _bits() -> Iterator[str]:
    for opcode in ("brev", "not", "cnot"):
        yield from _uniform(opcode, [], 1)
    for opcode in ("and", "or", "xor"):
        yield from _uniform(opcode, [], 2)
    for kind in _TYPES:
        d, a, b, c = (_r(kind, i) for i in range(4))
        for opcode in ("popc", "clz", "bfind", "bfind.shiftamt"):
            yield f"{opcode}.{kind} %r0, {a}"
        yield f"fns.{kind} {d}, {a}, %r2, %r3"
        yield f"bfe.{kind} {d}, {a}, %r2, %r3"
        yield f"bfi.{kind} {d}, {a}, {b}, %r3, %r4"
        yield f"shl.{kind} {d}, {a}, %r2"
        yield f"shr.{kind} {d}, {a}, %r2"
        for mode in ("wrap", "clamp"):
            yield f"szext.{mode}.{kind} {d}, {a}, %r2"
            yield f"bmsk.{mode}.{kind} {d}, %r1, %r2"
            yield f"shf.l.{mode}.{kind} {d}, {a}, {b}, %r3"
            yield f"shf.r.{mode}.{kind} {d}, {a}, {b}, %r3"
        yield f"lop3.{kind} {d}, {a}, {b}, {c}, 0x1b"
        for combine, first in itertools.product(("or", "and"), (d, "_")):
            yield f"lop3.{combine}.{kind} {first}|%p1, {a}, {b}, {c}, 0x1b, %p2"
        for mode in ("", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"):
            yield f"prmt.{kind}{mode} {d}, {a}, {b}, %r3"
    for a, b in itertools.product(_VIDEO_TYPES, repeat=2):
        yield f"dp4a.{a}.{b} %r0, %r1, %r2, %r3"
        yield f"dp2a.lo.{a}.{b} %r0, %r1, %r2, %r3"
        yield f"dp2a.hi.{a}.{b} %r0, %r1, %r2, %r3"


def _comparisons() -> Iterator[str]:
    properties = ("finite", "infinite", "number", "notanumber", "normal", "subnormal")
    for kind in _TYPES:
        d, a, b = (_r(kind, i) for i in range(3))
        for name in properties:
            yield f"testp.{name}.{kind} %p0, {a}"
        yield f"selp.{kind} {d}, {a}, {b}, %p3"
        for by, ftz in itertools.product(("s32", "f32"), _FTZ):
            yield f"slct{ftz}.{kind}.{by} {d}, {a}, {b}, %r3"
        names = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan".split()
        for name, combine, ftz in itertools.product(names, ("", ".and", ".or", ".xor"), _FTZ):
            end = ", !%p2" if combine else ""
            yield f"setp.{name}{combine}{ftz}.{kind} %p0|%p1, {a}, {b}{end}"
            yield f"setp.{name}{combine}{ftz}.{kind} %p0, {a}, {b}{end}"
            results = ("u32", "s32", "f32", "u16", "s16", "f16", "bf16", "f16x2", "bf16x2")
            for result in results if name in ("eq", "ltu", "num", "lt") else ():
                yield f"set.{name}{combine}{ftz}.{result}.{kind} {_r(result, 0)}, {a}, {b}{end}"


def _moves() -> Iterator[str]:
    yield from _uniform("mov", [], 1)
    for whole, part, count in (
        ("b16 %h0", "%c", 2), ("b32 %r0", "%h", 2), ("b32 %r0", "%c", 4), ("b64 %d0", "%r", 2),
        ("b64 %d0", "%h", 4), ("b128 %q0", "%d", 2), ("b128 %q0", "%r", 4),
    ):  # fmt: skip
        kind, register = whole.split()
        for vector in (
            [f"{part}{i}" for i in range(1, count + 1)],
            ["_"] + [f"{part}{i}" for i in range(2, count + 1)],
        ):
            yield f"mov.{kind} {{{', '.join(vector)}}}, {register}"
        yield f"mov.{kind} {register}, {{{', '.join(f'{part}{i}' for i in range(1, count + 1))}}}"
    yield from ("mov.b128 %q0, %q1", "mov.v2.b32 {%r1, %r2}, {%r3, %r4}", "mov.pred %p0, !%p1")
    yield from ("mov.u32 %r0, %tid.x", "mov.u64 %d0, %clock64", "mov.f32 %r0, 0f3F800000")


def _conversions() -> Iterator[str]:
    scalar = ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "f16", "bf16", "f32", "f64")
    roundings = (*_ROUNDINGS, ".rni", ".rzi", ".rmi", ".rpi")
    for d, s in itertools.product(scalar, scalar):
        for chosen in itertools.product(roundings, _FTZ, ("", ".sat")):
            yield f"cvt{''.join(chosen)}.{d}.{s} {_r(d, 0)}, {_r(s, 1)}"
    for kind in ("u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"):
        yield f"cvt.pack.sat.{kind}.s32 %r0, %r1, %r2"
        yield f"cvt.pack.sat.{kind}.s32.b32 %r0, %r1, %r2, %r3"
    small = ("e4m3", "e5m2", "e2m1", "e2m3", "e3m2", "ue8m0", "s2f6")
    register = {"f32": "%r", "f16": "%h", "bf16": "%h", "f16x2": "%r", "bf16x2": "%r", "tf32": "%r"}
    register |= {f"{name}x2": "%c" if name == "e2m1" else "%h" for name in small}
    register |= {f"{name}x4": "%h" if name == "e2m1" else "%r" for name in small}
    sources = ("f32", "f16x2", "bf16x2", *(f"{name}x2" for name in small))
    endings = (("", ".satfinite"), ("", ".relu"), ("", ".scaled::n2::ue8m0"))
    for d, s, rounding in itertools.product(register, sources, (*_ROUNDINGS, ".rna", ".rs")):
        operands = [f"{register[d]}0", f"{register[s]}1"]
        if s == "f32" and d.endswith("x2"):
            operands.append("%r2")
        if d.endswith("x4"):
            operands[1] = "{%r1, %r2, %r3, %r4}"
        if rounding == ".rs":
            operands.append("%r5")
        for finite, relu, scaled in itertools.product(*endings):
            text = ", ".join([*operands, "%h6"] if scaled else operands)
            yield f"cvt{rounding}{finite}{relu}{scaled}.{d}.{s} {text}"


def _video() -> Iterator[str]:
    types = list(itertools.product(_VIDEO_TYPES, repeat=3))
    for opcode in ("vadd", "vsub", "vabsdiff", "vmin", "vmax"):
        for (d, a, b), sat in itertools.product(types, ("", ".sat")):
            name = f"{opcode}.{d}.{a}.{b}{sat}"
            yield f"{name} %r0, %r1.b0, %r2.h1"
            yield f"{name}.add %r0, %r1, %r2.b3, %r3"
            yield f"{name}.min %r0, %r1.h0, %r2, %r3"
            yield f"{name} %r0.h1, %r1, %r2.b3, %r3"
            yield f"{name} %r0.b2, %r1, %r2.b3, %r3"
    for opcode, mode in itertools.product(("vshl", "vshr"), ("clamp", "wrap")):
        for (d, a, b), sat in itertools.product(types, ("", ".sat")):
            name = f"{opcode}.{d}.{a}.{b}{sat}.{mode}"
            yield f"{name} %r0, %r1.b0, %r2.b1"
            yield f"{name}.max %r0, %r1, %r2, %r3"
            yield f"{name} %r0.b0, %r1, %r2, %r3"
    for (d, a, b), sat, scale in itertools.product(types, ("", ".sat"), ("", ".shr7", ".shr15")):
        yield f"vmad.{d}.{a}.{b}{sat}{scale} %r0, %r1.h0, %r2.h1, %r3"
        yield f"vmad.{d}.{a}.{b}{sat}{scale} %r0, -%r1.b0, %r2.b1, %r3"
        yield f"vmad.{d}.{a}.{b}{sat}{scale} %r0, %r1.b0, %r2.b1, -%r3"
        yield f"vmad.{d}.{a}.{b}.po{sat}{scale} %r0, %r1.b0, %r2.b1, %r3"
    names = ("eq", "ne", "lt", "le", "gt", "ge")
    for a, b, name in itertools.product(_VIDEO_TYPES, _VIDEO_TYPES, names):
        yield f"vset.{a}.{b}.{name} %r0, %r1.h0, %r2.b1"
        yield f"vset.{a}.{b}.{name}.add %r0, %r1, %r2, %r3"
        yield f"vset.{a}.{b}.{name} %r0.h0, %r1, %r2, %r3"
        for lanes, end in itertools.product("24", ("", ".add")):
            yield f"vset{lanes}.{a}.{b}.{name}{end} %r0, %r1, %r2, %r3"
    for opcode in ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"):
        for (d, a, b), end in itertools.product(types, ("", ".sat", ".add")):
            for mask in ("", ".h10", ".h0"):
                yield f"{opcode}2.{d}.{a}.{b}{end} %r0{mask}, %r1.h23, %r2.h10, %r3"
            for mask in ("", ".b3210", ".b20", ".b1"):
                yield f"{opcode}4.{d}.{a}.{b}{end} %r0{mask}, %r1.b7210, %r2.b0123, %r3"


def candidates() -> list[str]:
    """Each once, in a fixed order."""
    families = (_arithmetic(), _bits(), _comparisons(), _moves(), _conversions(), _video())
    return list(dict.fromkeys(itertools.chain.from_iterable(families)))
