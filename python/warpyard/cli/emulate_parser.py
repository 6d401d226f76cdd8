# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The flags of `warpyard emulate`."""

from __future__ import annotations

import argparse


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sanitize",
        nargs="?",
        const="all",
        metavar="CHECKS",
        help="look for faults (all; memory,race)",
    )
    parser.add_argument("--profile", metavar="FILE", help="write what each launch did to FILE")


def _run(options: argparse.Namespace) -> int:
    from warpyard.cli import emulate_command

    # Options may stand before the GPU and behind it; argparse takes all that follows the GPU for
    # the program's, and in some versions drops the first `--`.
    if options.command[:1] == ["--"]:
        options.command = options.command[1:]
    elif options.command and options.command[0].startswith("-") and "--" in options.command:
        end = options.command.index("--")
        between = argparse.ArgumentParser(prog="warpyard emulate", add_help=False)
        _add_options(between)
        between.parse_args(options.command[:end], options)
        options.command = options.command[end + 1 :]
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
    _add_options(parser)
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="the program"
    )
    parser.set_defaults(run=_run)
