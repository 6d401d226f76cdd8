# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Adds up the test cases of one `bazel test`, from its build events.

Usage: python3 ci/totals.py EVENTS.json

EVENTS.json is what `bazel test --build_event_json_file=EVENTS.json` wrote. Only
tests of that very run are counted, cached ones included; a test program that
did not build, or that failed without naming a case, counts as one failure.
Prints one line per failed program, then `N passed, N failed, N skipped`, and
exits with 1 when anything failed or nothing ran.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from pathlib import Path


@dataclasses.dataclass
class Totals:
    """Numbers of test cases."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def add(self, other: Totals) -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def count_cases(xml: str) -> Totals:
    """The cases of a JUnit report, as GoogleTest, pytest and Bazel write it."""
    totals = Totals()
    for case in ElementTree.fromstring(xml).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            totals.failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            totals.skipped += 1
        else:
            totals.passed += 1
    return totals


def _path_of(uri: str) -> Path:
    return Path(urllib.request.url2pathname(urllib.parse.urlparse(uri).path))


def count_program(event: dict) -> Totals:
    """The cases of one run of one test program."""
    result = event["testResult"]
    ok = result.get("status") == "PASSED"
    totals = Totals()
    for output in result.get("testActionOutput", []):
        if output.get("name") == "test.xml":
            try:
                totals = count_cases(_path_of(output["uri"]).read_text(encoding="utf-8"))
            except (OSError, ElementTree.ParseError):
                totals = Totals()
    if not ok and totals.failed == 0:
        totals.failed = 1
    elif ok and totals == Totals():
        totals.passed = 1
    return totals


def add_up(events: Iterable[dict]) -> tuple[Totals, list[str]]:
    """The totals of a run, and the labels of what failed."""
    # The last attempt of each shard of each test counts.
    programs: dict[tuple, Totals] = {}
    unbuilt: set[str] = set()
    for event in events:
        identity = event.get("id", {})
        if "testResult" in identity and "testResult" in event:
            test = identity["testResult"]
            programs[test["label"], test.get("shard"), test.get("run")] = count_program(event)
        elif "targetCompleted" in identity and not event.get("completed", {}).get("success"):
            if event.get("aborted", {}).get("reason") != "SKIPPED":
                unbuilt.add(identity["targetCompleted"]["label"])
    totals = Totals()
    for program in programs.values():
        totals.add(program)
    totals.failed += len(unbuilt)
    failed = {label for (label, *_), program in programs.items() if program.failed}
    return totals, sorted(failed | unbuilt)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        lines = Path(arguments[0]).read_text(encoding="utf-8").splitlines()
        totals, failed = add_up(json.loads(line) for line in lines)
    except (OSError, json.JSONDecodeError) as error:
        print(f"totals.py: cannot read the build events: {error}", file=sys.stderr)
        return 2
    for label in failed:
        print(f"FAILED: {label}")
    print(totals)
    return 1 if totals.failed or not totals.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
