# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""`warpyard test`: gated tests on a lane, and the map of what runs where."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from warpyard.cli import bazel_tests
from warpyard.cli.bazel_tests import GatedTest, Workspace
from warpyard.cli.usage import UsageError
from warpyard.testing import waiver

EXIT_FAILED = 1


def problems(tests: Sequence[GatedTest]) -> list[str]:
    """What is wrong with a map: tests that no lane can run without a waiver that holds."""
    found = []
    for test in tests:
        if test.lane:
            continue
        told = f"{test.suite}: no lane can run it: it requires {test.requires}"
        if not test.waiver:
            found.append(f'{told}; excuse it with no_lane = "reason, owner, YYYY-MM-DD"')
        elif (excuse := waiver.parse(test.waiver)).expired():
            found.append(f"{told}; the excuse has expired: {excuse}")
    return found


def lanes_by_suite(tests: Sequence[GatedTest]) -> dict[str, list[GatedTest]]:
    """The targets of each test, sorted."""
    suites: dict[str, list[GatedTest]] = {}
    for test in sorted(tests, key=lambda test: (test.suite, test.lane)):
        suites.setdefault(test.suite, []).append(test)
    return suites


def _print_map(tests: Sequence[GatedTest]) -> None:
    suites = lanes_by_suite(tests)
    for suite, members in suites.items():
        lanes = [test.lane + ("!" if test.xfail else "") for test in members if test.lane]
        told = ", ".join(lanes) if lanes else f"NO LANE ({members[0].waiver or 'no waiver'})"
        print(f"{suite}  [{members[0].requires}]\n    {told}")
    lanes_of_all = {test.lane for test in tests if test.lane}
    count = sum(bool(test.lane) for test in tests)
    print(f"{len(suites)} tests, {count} targets on {len(lanes_of_all)} lanes; !: expected to fail")


def _json(tests: Sequence[GatedTest]) -> str:
    record = {
        suite: {
            "requires": members[0].requires,
            "lanes": [test.lane for test in members if test.lane],
            "xfail": {test.lane: test.xfail for test in members if test.xfail},
            "waiver": members[0].waiver,
        }
        for suite, members in lanes_by_suite(tests).items()
    }
    return json.dumps({"schema": 1, "tests": record}, indent=2, ensure_ascii=False)


def _verify(workspace: Workspace, lane: str, tests: Sequence[GatedTest]) -> list[str]:
    """Where the lane's platform selects something else than the map says."""
    mapped = {test.label for test in tests if test.lane == lane}
    everything = [test.label for test in tests if test.lane]
    if not mapped:
        raise UsageError(f'no test is on lane "{lane}"')
    selected = workspace.compatible(lane, everything)
    return [
        f"{label}: the map has it on lane {lane}, and its platform does not suit it"
        for label in sorted(mapped - selected)
    ] + [
        f"{label}: the platform of lane {lane} suits it, and the map has it elsewhere"
        for label in sorted(selected - mapped)
    ]


def _map(workspace: Workspace, options: argparse.Namespace) -> int:
    tests = workspace.gated_tests(options.labels or ["//..."])
    if options.json:
        print(_json(tests))
    elif options.map:
        _print_map(tests)
    wrong = problems(tests)
    for lane in options.verify:
        wrong += _verify(workspace, lane, tests)
        print(f"lane {lane}: {len(tests)} targets asked", file=sys.stderr)
    for message in wrong:
        print(f"warpyard: error: {message}", file=sys.stderr)
    return EXIT_FAILED if wrong else 0


def _has_gated_tests(workspace: Workspace, lane: str) -> bool:
    return any(test.lane == lane for test in workspace.gated_tests(["//..."]))


def dropped(workspace: Workspace, lane: str, labels: Sequence[str]) -> list[str]:
    """What is to be said of labels that name a test and would run nothing on a lane."""
    named = [label for label in labels if not bazel_tests.is_pattern(label)]
    if not named:
        return []
    gated = {test.label: test for test in workspace.gated_tests(named)}
    messages = []
    for label in named:
        tests = workspace.expand(label)
        if not tests:
            messages.append(f"{label} is no test")
            continue
        on_lane = workspace.compatible(lane, tests)
        if any(test in gated and "gpu" in gated[test].tags for test in on_lane):
            continue
        members = [gated[test] for test in tests if test in gated]
        if on_lane and not members:
            # Lanes with a GPU run what is tagged so, by --test_tag_filters=gpu.
            if _has_gated_tests(workspace, lane):
                messages.append(f"{label} is not gated, and lane {lane} runs gated tests alone")
        elif members:
            lanes = ", ".join(sorted(test.lane for test in members if test.lane)) or "none"
            messages.append(
                f"{label} does not run on lane {lane}: it requires {members[0].requires}; "
                f"lanes: {lanes}"
            )
        else:
            messages.append(f"{label} is incompatible with the platform of lane {lane}")
    return messages


def run(options: argparse.Namespace) -> int:
    workspace = bazel_tests.here()
    if options.map or options.json or options.verify:
        return _map(workspace, options)
    labels = options.labels or ["//..."]
    if options.lane:
        if messages := dropped(workspace, options.lane, labels):
            raise UsageError("; ".join(messages))
    return EXIT_FAILED if workspace.test(options.lane or "", labels) else 0
