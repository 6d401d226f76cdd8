# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What Bazel knows of a workspace's gated tests."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from warpyard.cli.usage import UsageError
from warpyard.errors import FailedPreconditionError


@dataclasses.dataclass(frozen=True)
class GatedTest:
    """A test on one lane; of a test that no lane can run, `lane` is empty."""

    label: str
    suite: str
    lane: str
    requires: str
    waiver: str = ""
    xfail: str = ""
    tags: tuple[str, ...] = ()


def normal_label(text: str) -> str:
    """`//a/b:c` of what Bazel or a user calls it: `@@//a/b:c`, `a/b:c`, `//a/b`."""
    label = text.lstrip("@")
    if not label.startswith("//"):
        label = "//" + label
    package, colon, _ = label.partition(":")
    return label if colon else f"{package}:{package.rpartition('/')[2]}"


def is_pattern(text: str) -> bool:
    """Whether a label stands for many targets, of which any may be dropped."""
    return text.startswith("-") or "..." in text or text.rpartition(":")[2] in ("all", "*")


def parse_query(lines: Iterable[str]) -> list[GatedTest]:
    """Reads what `bazel query --output=streamed_jsonproto` prints of gated tests."""
    found = []
    for line in lines:
        rule = json.loads(line).get("rule", {})
        if rule.get("ruleClass") not in ("cc_lane_test", "py_lane_test"):
            continue
        attributes: dict[str, dict[str, Any]] = {
            attribute["name"]: attribute for attribute in rule.get("attribute", [])
        }

        def text(name: str, known: dict[str, dict[str, Any]] = attributes) -> str:
            return str(known.get(name, {}).get("stringValue", ""))

        environment = {
            entry["key"]: entry["value"]
            for entry in attributes.get("test_environment", {}).get("stringDictValue", [])
        }
        found.append(
            GatedTest(
                label=normal_label(rule["name"]),
                suite=text("suite"),
                lane=text("lane"),
                requires=text("requires"),
                waiver=environment.get("WARPYARD_TEST_WAIVER", ""),
                xfail=text("xfail"),
                tags=tuple(attributes.get("tags", {}).get("stringListValue", [])),
            )
        )
    return found


class Workspace:
    """A Bazel workspace; its own launcher, if it has one, else the `bazel` on PATH."""

    def __init__(self, folder: Path) -> None:
        for root in (folder, *folder.parents):
            if (root / "MODULE.bazel").exists():
                break
        else:
            raise UsageError(f"{folder} is in no Bazel workspace: no MODULE.bazel here or above")
        self.root = root
        launcher = root / "bazelw"
        on_path = shutil.which("bazel") or shutil.which("bazelisk")
        if launcher.exists():
            self._bazel = [sys.executable] if sys.platform == "win32" else []
            self._bazel.append(str(launcher))
        elif on_path:
            self._bazel = [on_path]
        else:
            raise UsageError(f"no bazelw in {root}, and no bazel or bazelisk on PATH")

    def _read(self, *arguments: str) -> list[str]:
        process = subprocess.run(
            [*self._bazel, *arguments, "--noshow_progress", "--color=no"],
            cwd=self.root,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if process.returncode != 0:
            told = [line for line in process.stderr.splitlines() if "ERROR" in line]
            raise FailedPreconditionError(
                f"bazel {arguments[0]} failed: {' '.join(told) or process.stderr.strip()}"
            )
        return process.stdout.splitlines()

    def gated_tests(self, labels: Sequence[str]) -> list[GatedTest]:
        """The targets of gated tests among those that labels stand for, in Bazel's order."""
        words = " + ".join(f"tests({label})" for label in labels)
        every = f"kind('(cc|py)_lane_test rule', {words})"
        return parse_query(self._read("query", every, "--output=streamed_jsonproto"))

    def expand(self, label: str) -> list[str]:
        """The tests that a label stands for."""
        return [normal_label(line) for line in self._read("query", f"tests({label})")]

    def compatible(self, lane: str, labels: Sequence[str]) -> set[str]:
        """Those tests that the lane's platform suits."""
        expression = (
            "str(target.label) if 'IncompatiblePlatformProvider' not in providers(target) else ''"
        )
        lines = self._read(
            "cquery",
            f"tests({' + '.join(labels)})",
            f"--config=lane-{lane}",
            "--output=starlark",
            f"--starlark:expr={expression}",
        )
        return {normal_label(line) for line in lines if line}

    def test(self, lane: str, labels: Sequence[str]) -> int:
        """Runs tests; Bazel's output goes where ours goes."""
        config = [f"--config=lane-{lane}"] if lane else []
        sys.stdout.flush()
        return subprocess.run(
            [*self._bazel, "test", *config, "--", *labels], cwd=self.root, check=False
        ).returncode


def here() -> Workspace:
    """The workspace of the current folder."""
    return Workspace(Path(os.getcwd()))
