# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The flags of `warpyard compile`.

What does the work is imported when it is called, so that other commands start without it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable


def _run(options: argparse.Namespace) -> int:
    from warpyard.cli import compile_command

    return compile_command.run(options)


def _at_least(least: int, what: str) -> Callable[[str], int]:
    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no {what} (a number from {least} on)")
        return value

    return parse


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "compile",
        help="compile kernels for GPU targets",
        description=(
            "Compiles CUDA C++ and PTX for every target and prints what each kernel takes there: "
            "registers, shared memory, spills, occupancy, size and time. No GPU is needed."
        ),
        epilog="Exit code: 0 all compiled, 1 something failed, 2 wrong use, 130 interrupted.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="CUDA C++ (.cu) or PTX (.ptx)")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "-t",
        "--target",
        action="append",
        metavar="LIST",
        help="GPUs (h100,b200) and compute capabilities (sm_120,9.0a)",
    )
    which.add_argument(
        "--all", action="store_true", help="every generation that the CUDA toolkit compiles for"
    )
    out = parser.add_argument_group("output")
    out.add_argument("-o", "--output", metavar="DIR", help="write DIR/<file>.<target>.cubin, .ptx")
    out.add_argument("--json", action="store_true", help="print JSON instead of the matrix")
    out.add_argument(
        "--block-size",
        type=_at_least(1, "block size"),
        metavar="N",
        help="threads for the occupancy (default: the kernel's own bound, else 256)",
    )
    out.add_argument(
        "--dynamic-shared",
        type=_at_least(0, "number of bytes"),
        default=0,
        metavar="BYTES",
        help="dynamic shared memory of a block, for the occupancy",
    )
    code = parser.add_argument_group("code")
    code.add_argument("-I", dest="include", action="append", default=[], metavar="DIR")
    code.add_argument("-D", dest="define", action="append", default=[], metavar="NAME[=VALUE]")
    code.add_argument("-O", dest="optimize", type=int, choices=range(4), default=3, metavar="0..3")
    code.add_argument("--std", default="c++17", metavar="NAME", help="C++ standard (c++17)")
    code.add_argument("--use-fast-math", action="store_true")
    code.add_argument("--line-info", action="store_true", help="line numbers for profilers")
    code.add_argument("--max-registers", type=_at_least(1, "number of registers"), metavar="N")
    code.add_argument(
        "-X",
        dest="extra",
        action="append",
        default=[],
        metavar="OPTION",
        help="for the compiler: -X=--ftz=true",
    )
    how = parser.add_argument_group("how")
    how.add_argument(
        "-j",
        "--jobs",
        type=_at_least(1, "number of jobs"),
        metavar="N",
        help="threads (default: as many as cores)",
    )
    how.add_argument("--provider", default="auto", metavar="NAME", help="which compiler to use")
    how.add_argument("--no-cache", action="store_true", help="compile everything anew")
    parser.set_defaults(run=_run)
