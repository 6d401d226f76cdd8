# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The flags of `warpyard emulate`."""

from __future__ import annotations

import argparse


def _run(options: argparse.Namespace) -> int:
    from warpyard.cli import emulate_command

    return emulate_command.run(options)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "emulate",
        help="run a program under the emulated driver",
        description=(
            "Runs any program so that the CUDA driver which it finds is the emulated one: its "
            "kernels run on the CPU, from PTX. No GPU is needed, and none that is there is used."
        ),
        epilog="The exit code is the program's; 2 wrong use, 126 and 127 as shells have them.",
    )
    parser.add_argument("gpus", metavar="GPU", help="what it poses as: h100, b200*8, h100,b200")
    parser.add_argument(
        "--sanitize",
        nargs="?",
        const="all",
        metavar="CHECKS",
        help="look for faults (all; memory,race)",
    )
    parser.add_argument("--profile", metavar="FILE", help="write what each launch did to FILE")
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="the program"
    )
    parser.set_defaults(run=_run)
