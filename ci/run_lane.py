#!/usr/bin/env python3
# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a lane, as CI does: `python3 ci/run_lane.py emulated-b200`.

Needs Python's standard library alone. Ends with 0 when all passed, 1 when something failed, 2 for
wrong use, and 75 when the machine is not what the lane claims, so that CI may try another.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

ROOT = Path(__file__).resolve().parent.parent
_INFRASTRUCTURE = 75


def lane_names() -> list[str]:
    """The lanes that have a configuration."""
    text = (ROOT / "ci" / "lanes.bazelrc").read_text(encoding="utf-8")
    return re.findall(r"^build:lane-(\S+) --platforms", text, re.MULTILINE)


def only_infrastructure_failed(events: Path) -> bool:
    """Whether every test that failed blames the machine."""
    blamed = failed = 0
    for line in events.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        result = event.get("testResult", {})
        if result.get("status", "PASSED") == "PASSED":
            continue
        failed += 1
        for output in result.get("testActionOutput", []):
            if output.get("name") == "test.log":
                log = Path(url2pathname(urlparse(output["uri"]).path))
                blamed += log.exists() and "warpyard: infrastructure: " in log.read_text(
                    encoding="utf-8", errors="replace"
                )
    return failed > 0 and blamed == failed


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lane", help="name of a lane of ci/lanes.bzl")
    parser.add_argument("labels", nargs="*", default=["//..."], help="what to test")
    parser.add_argument("--results", type=Path, help="folder for logs and verdicts")
    options = parser.parse_args(arguments)
    if options.lane not in lane_names():
        parser.error(f'"{options.lane}" is no lane; lanes are {", ".join(lane_names())}')
    results = (options.results or Path("results") / options.lane).resolve()
    results.mkdir(parents=True, exist_ok=True)
    events = results / "events.json"
    launcher = [sys.executable] if sys.platform == "win32" else []
    command = [
        *launcher,
        str(ROOT / "bazelw"),
        "test",
        "--config=ci",
        f"--config=lane-{options.lane}",
        f"--build_event_json_file={events}",
        *options.labels,
    ]
    code = subprocess.run(command, cwd=ROOT, check=False).returncode
    logs = ROOT / "bazel-testlogs"
    if logs.exists():
        shutil.copytree(logs, results / "testlogs", dirs_exist_ok=True)
    if code != 0 and events.exists() and only_infrastructure_failed(events):
        print("run_lane.py: the machine is at fault, see the logs", file=sys.stderr)
        return _INFRASTRUCTURE
    return 1 if code else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
