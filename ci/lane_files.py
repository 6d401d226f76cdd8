# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What is written down of the lanes of ci/lanes.bzl, for programs that cannot load it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Lane = dict[str, Any]

_MADE_BY = "Made from ci/lanes.bzl by `./bazelw run //ci:update_lanes`; a test holds it to that."
_HEAD = f"# {_MADE_BY}\n"

# Which runs of CI take lanes of a cadence, as GitHub's cron and Buildkite's schedule say it.
_CRON = {"day": "23 3 * * *", "week": "41 4 * * 6"}


def read_lanes(path: Path) -> list[Lane]:
    """The lanes, in the order of ci/lanes.bzl."""
    return list(json.loads(path.read_text(encoding="utf-8")))


def bazelrc(lanes: list[Lane]) -> str:
    """`--config=lane-NAME` of each lane."""
    lines = [_HEAD]
    for lane in lanes:
        config = f"lane-{lane['name']}"
        lines.append(f"build:{config} --platforms=//ci/lanes:{lane['name']}\n")
        if lane["config"]:
            lines.append(f"build:{config} --config={lane['config']}\n")
        elif lane["gpu"]:
            # What needs no GPU runs on the lanes without one.
            lines.append(f"test:{config} --test_tag_filters=gpu\n")
            lines.append(f"test:{config} --build_tests_only\n")
    return "".join(lines)


def _runner(lane: Lane) -> str:
    """GitHub's labels of a machine: its own ones, or those of a machine of ours."""
    own = lane["gpu"] and not lane["emulated"]
    return f"[self-hosted, {lane['runner']}]" if own else f"[{lane['runner']}]"


def github(lanes: list[Lane]) -> str:
    """A workflow with a job for each lane."""
    text = _HEAD + (
        "name: lanes\n"
        "on:\n"
        "  push:\n"
        "    branches: [main]\n"
        "  pull_request:\n"
        "  schedule:\n"
        + "".join(f"    - cron: '{cron}'  # each {name}\n" for name, cron in _CRON.items())
        + "jobs:\n"
    )
    conditions = {
        "change": "github.event_name != 'schedule'",
        **{name: f"github.event.schedule == '{cron}'" for name, cron in _CRON.items()},
    }
    for cadence, condition in conditions.items():
        chosen = [lane for lane in lanes if lane["cadence"] == cadence]
        text += (
            f"  {cadence}:\n"
            f"    if: {condition}\n"
            "    strategy:\n"
            "      fail-fast: false\n"
            "      matrix:\n"
            "        include:\n"
            + "".join(
                f"          - {{lane: {lane['name']}, runner: {_runner(lane)}}}\n"
                for lane in chosen
            )
            + "    name: ${{ matrix.lane }}\n"
            "    runs-on: ${{ matrix.runner }}\n"
            "    steps:\n"
            "      - uses: actions/checkout@v4\n"
            "      - run: python3 ci/run_lane.py ${{ matrix.lane }} --results results\n"
            "      - uses: actions/upload-artifact@v4\n"
            "        if: always()\n"
            "        with:\n"
            "          name: results-${{ matrix.lane }}\n"
            "          path: results\n"
        )
    return text


def buildkite(lanes: list[Lane]) -> str:
    """A pipeline with a step for each lane; a schedule sets CADENCE."""
    text = _HEAD + "steps:\n"
    for lane in lanes:
        wanted = "change" if lane["cadence"] == "change" else lane["cadence"]
        condition = (
            'build.env("CADENCE") == null'
            if wanted == "change"
            else f'build.env("CADENCE") == "{wanted}"'
        )
        text += (
            f"  - label: {lane['name']}\n"
            f"    key: lane-{lane['name']}\n"
            f"    if: '{condition}'\n"
            f"    command: python3 ci/run_lane.py {lane['name']} --results results\n"
            f"    agents: {{queue: {lane['runner']}}}\n"
            "    artifact_paths: results/**/*\n"
            "    retry: {automatic: [{exit_status: 75, limit: 1}]}  # the machine's fault\n"
        )
    return text


def _cells(lane: Lane) -> list[str]:
    facts = lane["facts"]
    kind = "emulated" if lane["emulated"] else "real" if lane["gpu"] else "none"
    gpu = f"{lane['gpu']} ({kind})" if lane["gpu"] else "none"
    count = "as asked" if lane["emulated"] else str(lane["gpus"])
    system = f"{lane['os']} {lane['arch']}"
    if lane["driver_mode"]:
        system += f", {lane['driver_mode']}"
    versions = ", ".join(
        f"{name} {facts[key]}"
        for key, name in (
            ("driver", "driver"),
            ("cuda", "CUDA"),
            ("cudnn", "cuDNN"),
            ("nccl", "NCCL"),
        )
        if facts[key] != "none"
    )
    default = str(lane["default_rank"] or "")
    name = f"`{lane['name']}`"
    return [name, gpu, count, system, versions, lane["runner"], lane["cadence"], default]


BEGIN, END = "<!-- lanes: begin -->\n", "<!-- lanes: end -->\n"


def docs_table(lanes: list[Lane]) -> str:
    """The table of docs/lanes.md, between its marks."""
    rows = [
        ["lane", "GPU", "GPUs", "system", "versions", "runner", "runs each", "default"],
        ["---"] * 8,
        *map(_cells, lanes),
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def with_table(page: str, table: str) -> str:
    """A page with the table put between its marks."""
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no lines {BEGIN.strip()} and {END.strip()}")
    return f"{head}{begin}\n{table}\n{end}{tail}"


FILES: dict[str, Callable[[list[Lane]], str]] = {
    "ci/lanes.bazelrc": bazelrc,
    "ci/github_lanes.yml": github,
    "ci/buildkite_lanes.yml": buildkite,
}
PAGE = "docs/lanes.md"


def contents(lanes: list[Lane], root: Path) -> dict[str, str]:
    """What each file is to hold, by its path from the root of the workspace."""
    files = {path: make(lanes) for path, make in FILES.items()}
    page = (root / PAGE).read_text(encoding="utf-8")
    return files | {PAGE: with_table(page, docs_table(lanes))}
