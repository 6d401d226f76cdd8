# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What became of each test case, written down as it happens.

`warpyard_verdicts.jsonl` in TEST_UNDECLARED_OUTPUTS_DIR has one JSON object a line (docs/testing.md
lists the fields); XML_OUTPUT_FILE gets the same in JUnit's form.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

SCHEMA = 1
FILE_NAME = "warpyard_verdicts.jsonl"

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
XFAIL, XPASS, NEVER_RAN = "xfail", "xpass", "never_ran"
BAD = (FAILED, XPASS)


@dataclasses.dataclass
class Case:
    """One test case. `requirement` and `found` are of a declared skip."""

    suite: str
    name: str
    verdict: str
    seconds: float = 0.0
    requirement: str = ""
    found: str = ""
    reason: str = ""
    message: str = ""

    @property
    def full_name(self) -> str:
        return f"{self.suite}.{self.name}" if self.suite else self.name


# What XML 1.0 cannot hold.
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _clean(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)


def junit(target: str, cases: Sequence[Case]) -> bytes:
    """The cases as a JUnit report."""
    root = ElementTree.Element("testsuites")
    by_suite: dict[str, list[Case]] = {}
    for case in cases:
        by_suite.setdefault(case.suite or target, []).append(case)
    for suite, members in by_suite.items():
        count = {
            verdict: sum(c.verdict == verdict for c in members) for verdict in (SKIPPED, XFAIL)
        }
        suite_element = ElementTree.SubElement(
            root,
            "testsuite",
            name=_clean(suite),
            tests=str(len(members)),
            failures=str(sum(c.verdict in BAD for c in members)),
            errors="0",
            skipped=str(sum(count.values())),
            time=f"{sum(c.seconds for c in members):.3f}",
        )
        for case in members:
            element = ElementTree.SubElement(
                suite_element,
                "testcase",
                classname=_clean(suite),
                name=_clean(case.name),
                time=f"{case.seconds:.3f}",
            )
            properties = ElementTree.SubElement(element, "properties")
            ElementTree.SubElement(
                properties, "property", name="warpyard.verdict", value=case.verdict
            )
            if case.verdict in BAD:
                failure = ElementTree.SubElement(
                    element, "failure", message=_clean((case.message or case.reason)[:500])
                )
                failure.text = _clean(case.message)
            elif case.verdict in (SKIPPED, XFAIL, NEVER_RAN):
                told = case.reason or case.message
                ElementTree.SubElement(element, "skipped", message=_clean(told[:500]))
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


class Writer:
    """Writes what happens to the files that the environment names, if it names any."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._file: IO[str] | None = None
        self._xml = environment.get("XML_OUTPUT_FILE", "")
        self._target = environment.get("WARPYARD_TEST_TARGET", "test")
        self._cases: list[Case] = []
        if folder := environment.get("TEST_UNDECLARED_OUTPUTS_DIR"):
            path = Path(folder, FILE_NAME)
            path.parent.mkdir(parents=True, exist_ok=True)
            # A test that is run several times in one process tree adds to the file.
            self._file = path.open("a", encoding="utf-8", newline="\n")

    def _line(self, kind: str, fields: dict[str, Any]) -> None:
        if self._file is not None:
            record = {"schema": SCHEMA, "kind": kind} | fields
            self._file.write(json.dumps(record, ensure_ascii=False) + "\n")
            self._file.flush()

    def run(self, fields: dict[str, Any]) -> None:
        now = datetime.datetime.now(datetime.timezone.utc)
        self._line("run", {"started": now.strftime("%Y-%m-%dT%H:%M:%SZ")} | fields)

    def case(self, case: Case) -> None:
        self._cases.append(case)
        self._line("case", dataclasses.asdict(case))

    def end(self, verdict: str, message: str) -> None:
        self._line("end", {"verdict": verdict, "message": message})
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._xml:
            Path(self._xml).write_bytes(junit(self._target, self._cases))
