# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The build tools' reading of requirements, held against the table of cases."""

from pathlib import Path

import sm_requirement
from absl.testing import absltest

_CASES = Path(__file__).parent / "sm_requirement_cases.txt"


def _rows() -> list[tuple[str, str]]:
    lines = _CASES.read_text(encoding="utf-8").splitlines()
    rows = [line.rsplit("|", 1) for line in lines if "|" in line and not line.startswith("#")]
    return [(text.strip(), verdict.strip()) for text, verdict in rows]


class SmRequirementTest(absltest.TestCase):
    def test_cases(self):
        (_, targets), *cases = _rows()
        self.assertGreater(len(cases), 50)
        for text, verdict in cases:
            with self.subTest(requirement=text):
                if verdict == "invalid":
                    with self.assertRaises(sm_requirement.RequirementError):
                        sm_requirement.parse(text)
                    continue
                clauses = sm_requirement.parse(text)
                met = [
                    target
                    for target in targets.split()
                    if all(clause.met_by(sm_requirement.parse_target(target)) for clause in clauses)
                ]
                self.assertEqual(met, verdict.split())

    def test_printing_parses_back(self):
        for text, verdict in _rows()[1:]:
            if verdict != "invalid":
                clauses = sm_requirement.parse(text)
                self.assertEqual(sm_requirement.parse(" & ".join(map(str, clauses))), clauses)

    def test_find_in_source(self):
        source = (
            "// warpyard-requires: sm>=8.0\n"
            "int a;  // warpyard-requires: sm>=13.0\n"
            "  //warpyard-requires:sm<12.0\r\n"
            "// it warpyard-requires: sm>=13.0\n"
        )
        clauses = sm_requirement.find_in_source(source)
        self.assertEqual(" & ".join(map(str, clauses)), "sm>=8.0 & sm<12.0")
        self.assertEqual(sm_requirement.find_in_source("int a;\n"), ())

    def test_errors_name_the_line(self):
        with self.assertRaisesRegex(sm_requirement.RequirementError, "^line 2: 'sm>='"):
            sm_requirement.find_in_source("\n// warpyard-requires: sm>=\n")


if __name__ == "__main__":
    absltest.main()
