# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The flags of `warpyard targets`."""

from __future__ import annotations

import argparse


def _run(options: argparse.Namespace) -> int:
    from warpyard.cli import targets_command

    return targets_command.run(options)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "targets",
        help="list the GPUs that Warpyard knows",
        description="Lists the GPUs that --target takes, with what code is compiled for each.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, with every figure")
    parser.set_defaults(run=_run)
