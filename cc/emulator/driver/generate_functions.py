# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Reads NVIDIA's cuda.h and cudaTypedefs.h and writes what the emulated driver needs of them.

usage: generate_functions.py CUDA_H CUDA_TYPEDEFS_H {table|stubs|per_thread} OUTPUT

table       one WARPYARD_DRIVER_FUNCTION(name, version, symbol, per_thread) for each function that
            cuGetProcAddress knows: the name that is asked for, the CUDA version that brought this
            form of it, and the symbol that has it
stubs       a weak definition of every function of the header, which says that it is not supported
per_thread  the _ptsz and _ptds forms, which do what the plain form does with the calling thread's
            own default stream in place of the legacy one
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from typing import NamedTuple


class Declaration(NamedTuple):
    """A function as cuda.h declares it, under its exported name."""

    symbol: str
    parameters: str

    def names(self) -> list[str]:
        """The names of the parameters, in order."""
        if self.parameters in ("", "void"):
            return []
        return [
            re.findall(r"\w+", re.sub(r"\[[^]]*\]", "", parameter))[-1]
            for parameter in self.parameters.split(",")
        ]


def without_comments(text: str) -> str:
    """Drops the comments of a C header."""
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", " ", text, flags=re.S))


def declarations(cuda_h: str) -> list[Declaration]:
    """Every exported function, in the order of the header, each once.

    The first part of the header declares functions under names that macros turn into the exported
    ones; the part behind the first `#undef` of such a macro declares exported names as they are.
    """
    text = without_comments(cuda_h)
    undefined = re.search(r"^\s*#\s*undef\s+cu[A-Z]", text, re.M)
    boundary = undefined.start() if undefined else len(text)
    macro = r"^[ \t]*#[ \t]*define[ \t]+(cu[A-Z]\w*)[ \t]+(?:__CUDA_API_(PTSZ|PTDS)\()?(cu\w+)\)?"
    exported = {
        name: target + {"PTSZ": "_ptsz", "PTDS": "_ptds", "": ""}[kind]
        for name, kind, target in re.findall(macro, text[:boundary], re.M)
    }
    prototype = re.compile(r"\bCUresult\s+CUDAAPI\s+(cu\w+)\s*\(([^;{}]*?)\)\s*;", re.S)
    found: dict[str, Declaration] = {}
    for match in prototype.finditer(text):
        name = match[1]
        symbol = exported.get(name, name) if match.start() < boundary else name
        found.setdefault(symbol, Declaration(symbol, " ".join(match[2].split())))
    return list(found.values())


def table(cuda_typedefs_h: str, symbols: set[str]) -> list[str]:
    """The lines of the table, by name and version."""
    versions: dict[tuple[str, str], set[int]] = defaultdict(set)
    pointer = r"\*PFN_(cu\w+?)_v(\d+)(_ptsz|_ptds|)\)"
    for name, version, suffix in re.findall(pointer, without_comments(cuda_typedefs_h)):
        versions[name, suffix].add(int(version))
    lines = []
    for (name, suffix), of_name in sorted(versions.items()):
        plain = sorted(versions.get((name, ""), of_name) | of_name)
        for version in sorted(of_name):
            # The n-th form of a function is exported with the suffix _vn; the form with a stream
            # per thread is that of the plain form of its time.
            index = max(i for i, v in enumerate(plain) if v <= version or i == 0)
            candidates = [f"{name}_v{n + 1}" if n else name for n in range(index, -1, -1)]
            symbol = next((c + suffix for c in candidates if c + suffix in symbols), None)
            if symbol is not None:
                per_thread = "true" if suffix else "false"
                lines.append(
                    f'WARPYARD_DRIVER_FUNCTION("{name}", {version}, {symbol}, {per_thread})'
                )
    return lines


def stubs(functions: list[Declaration]) -> list[str]:
    """Weak definitions, which a real one replaces when the library is linked."""
    return [
        f"__attribute__((weak)) CUresult CUDAAPI {f.symbol}({f.parameters}) "
        f'{{ return ::warpyard::emulator::driver::NotSupported("{f.symbol}"); }}'
        for f in functions
        if not f.symbol.endswith(("_ptsz", "_ptds"))
    ]


def per_thread(functions: list[Declaration]) -> list[str]:
    """Definitions of the forms with a default stream per thread."""
    lines = []
    for f in functions:
        if f.symbol.endswith(("_ptsz", "_ptds")):
            lines.append(
                f"CUresult CUDAAPI {f.symbol}({f.parameters}) {{ "
                "const ::warpyard::emulator::driver::PerThreadDefaultStream scope; "
                f"return {f.symbol[:-5]}({', '.join(f.names())}); }}"
            )
    return lines


def main(arguments: list[str]) -> int:
    """The command."""
    if len(arguments) != 5:
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[1], encoding="utf-8") as file:
        functions = declarations(file.read())
    with open(arguments[2], encoding="utf-8") as file:
        typedefs = file.read()
    lines = {
        "table": lambda: table(typedefs, {f.symbol for f in functions}),
        "stubs": lambda: stubs(functions),
        "per_thread": lambda: per_thread(functions),
    }[arguments[3]]()
    if len(lines) < 100:
        print(f"{arguments[1]}: only {len(lines)} functions found", file=sys.stderr)
        return 1
    with open(arguments[4], "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
