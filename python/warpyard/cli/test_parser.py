# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The flags of `warpyard test`."""

from __future__ import annotations

import argparse


def _run(options: argparse.Namespace) -> int:
    from warpyard.cli import test_command

    return test_command.run(options)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "test",
        help="run a Bazel workspace's gated tests on a lane",
        description="Runs tests on a lane; a label that the lane or a filter drops is an error.",
    )
    parser.add_argument("labels", nargs="*", metavar="LABEL", help="what to test; default: //...")
    parser.add_argument("--lane", help="where to run it: --config=lane-LANE of the workspace")
    parser.add_argument(
        "--map", action="store_true", help="print which test runs on which lane; run nothing"
    )
    parser.add_argument("--json", action="store_true", help="print the map as JSON")
    parser.add_argument(
        "--verify",
        action="append",
        default=[],
        metavar="LANE",
        help="ask Bazel whether the lane's platform selects what the map says; repeatable",
    )
    parser.set_defaults(run=_run)
