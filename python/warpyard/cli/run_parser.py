# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The flags of `warpyard run`."""

from __future__ import annotations

import argparse


def _run(options: argparse.Namespace) -> int:
    from warpyard.cli import run_command

    return run_command.run(options)


def _extent(text: str) -> list[int]:
    try:
        sides = [int(side) for side in text.split(",")]
    except ValueError:
        sides = []
    if not 1 <= len(sides) <= 3 or any(side < 1 for side in sides):
        raise argparse.ArgumentTypeError(f"{text!r}: expected X, X,Y or X,Y,Z, each from 1 on")
    return sides


def _natural(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number from 0 on")
    return int(text)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "run",
        help="launch one kernel",
        description=(
            "Compiles a file, launches one of its kernels on a GPU, real or emulated, and prints "
            "what it wrote."
        ),
        epilog=(
            "An argument is [out:|inout:]TYPE[SHAPE][=VALUE]: f32=2.5, u64=1000, f32[64,64]=random,"
            " out:bf16[1024], inout:s32[10]=data.npy, null. Exit code: 0 it ran, 1 it did not, 2 "
            "wrong use."
        ),
    )
    parser.add_argument("file", metavar="FILE", help="CUDA C++ (.cu), PTX or a CUBIN")
    launch = parser.add_argument_group("launch")
    launch.add_argument("-k", "--kernel", metavar="NAME", help="which kernel; not needed for one")
    launch.add_argument("--grid", type=_extent, default=[1], metavar="X,Y,Z", help="blocks")
    launch.add_argument("--block", type=_extent, default=[1], metavar="X,Y,Z", help="threads")
    launch.add_argument("--cluster", type=_extent, metavar="X,Y,Z", help="blocks of a cluster")
    launch.add_argument(
        "-a",
        "--arg",
        dest="args",
        action="append",
        default=[],
        metavar="ARGUMENT",
        help="one parameter, in order (see below)",
    )
    launch.add_argument(
        "--shared", type=_natural, default=0, metavar="BYTES", help="dynamic shared memory"
    )
    launch.add_argument(
        "--cooperative", action="store_true", help="all blocks at once, which may wait for another"
    )
    launch.add_argument(
        "--seed", type=_natural, default=0, metavar="N", help="of random values (default: 0)"
    )
    where = parser.add_argument_group("where")
    where.add_argument("--device", type=_natural, default=0, metavar="N", help="which GPU")
    where.add_argument("--emulate", metavar="GPU", help="emulate this GPU (h100)")
    out = parser.add_argument_group("output")
    out.add_argument("-o", "--output", metavar="DIR", help="write DIR/argN.npy, each output whole")
    out.add_argument("--json", action="store_true", help="print JSON")
    out.add_argument(
        "--profile", action="store_true", help="what the launch did; emulated GPUs alone"
    )
    out.add_argument(
        "--sanitize",
        nargs="?",
        const="all",
        metavar="CHECKS",
        help="look for faults; emulated GPUs alone (all; memory,race)",
    )
    code = parser.add_argument_group("code")
    code.add_argument("-I", dest="include", action="append", default=[], metavar="DIR")
    code.add_argument("-D", dest="define", action="append", default=[], metavar="NAME[=VALUE]")
    code.add_argument("--std", default="c++17", metavar="NAME", help="C++ standard (c++17)")
    code.add_argument("--use-fast-math", action="store_true")
    parser.set_defaults(run=_run)
