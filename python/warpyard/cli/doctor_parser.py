# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The flags of `warpyard doctor`."""

from __future__ import annotations

import argparse


def _run(options: argparse.Namespace) -> int:
    from warpyard.cli import doctor_command

    return doctor_command.run(options)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "doctor",
        help="what this machine has for Warpyard, and what it lacks",
        description=(
            "Lists drivers, GPUs (real and emulated), compilers and CUDA libraries with their "
            "versions and places, and for what is missing how to get it."
        ),
        epilog="Exit code: 0 kernels can be compiled and run, 1 they cannot.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run)
