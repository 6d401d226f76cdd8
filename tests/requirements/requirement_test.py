# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The Python reading of requirements, held against the table of cases."""

from pathlib import Path

from absl.testing import absltest

from warpyard.testing import requirement
from warpyard.testing.requirement import RequirementError

_FILE = Path(__file__).parent / "cases.bzl"


def _constant(name: str, quote: str) -> str:
    text = _FILE.read_text(encoding="utf-8")
    return text.partition(f"\n{name} = {quote}")[2].partition(quote)[0]


_TARGETS = _constant("TARGETS", '"').split()
_CASES = [
    [cell.strip() for cell in line.rsplit(" | ", 2)]
    for line in _constant("CASES", '"""').splitlines()
    if line and not line.startswith("#")
]


def _outcome(text: str, facts: str) -> str:
    try:
        parsed = requirement.parse(text)
        if facts == "targets":
            met = [t for t in _TARGETS if parsed.met_by_target(requirement.parse_target(t))]
            by_fact = [t for t in _TARGETS if parsed.evaluate({"target": t}).verdict == "met"]
            assert met == by_fact, (met, by_fact)
            return " ".join(met) or "none"
    except RequirementError as error:
        return str(error)
    try:
        return str(parsed.evaluate(dict(fact.split("=") for fact in facts.split())))
    except RequirementError as error:
        return f"error: {error}"


class RequirementTest(absltest.TestCase):
    def test_cases(self):
        self.assertGreater(len(_CASES), 200)
        for text, facts, expected in _CASES:
            with self.subTest(requirement=text, facts=facts):
                outcome = _outcome(text, facts)
                if facts == "error":
                    self.assertStartsWith(outcome, f'requirement "{text}": ')
                    self.assertIn(expected, outcome)
                elif expected.startswith("error:"):
                    self.assertStartsWith(outcome, expected)
                else:
                    self.assertEqual(outcome, expected)

    def test_each_line_is_another_case(self):
        self.assertLen({tuple(case[:2]) for case in _CASES}, len(_CASES))

    def test_printing_parses_back(self):
        for text, facts, _ in _CASES:
            if facts != "error":
                parsed = requirement.parse(text)
                self.assertEqual(requirement.parse(str(parsed)), parsed)

    def test_the_longest(self):
        self.assertTrue(requirement.parse("sm>=9.0" + " " * 1017))
        with self.assertRaisesRegex(RequirementError, "more than 1024 characters"):
            requirement.parse("sm>=9.0" + " " * 1018)

    def test_and(self):
        both = requirement.parse("sm>=9.0") & requirement.parse("gpus>=2")
        self.assertEqual(str(both), "sm>=9.0 & gpus>=2")
        self.assertEqual(requirement.Requirement() & both, both)
        with self.assertRaisesRegex(RequirementError, "no gpus meets"):
            _ = both & requirement.parse("gpus<2")

    def test_find_in_source(self):
        source = (
            "// warpyard-requires: sm>=8.0\n"
            "int a;  // warpyard-requires: sm>=13.0\n"
            "  //warpyard-requires:sm<12.0\r\n"
            "// it warpyard-requires: sm>=13.0\n"
        )
        self.assertEqual(str(requirement.find_in_source(source)), "sm>=8.0 & sm<12.0")
        self.assertFalse(requirement.find_in_source("int a;\n"))

    def test_errors_in_a_source_name_the_line(self):
        with self.assertRaisesRegex(RequirementError, '^line 2: requirement "sm>="'):
            requirement.find_in_source("\n// warpyard-requires: sm>=\n")
        with self.assertRaisesRegex(RequirementError, '"gpus" is about the machine'):
            requirement.find_in_source("// warpyard-requires: sm>=9.0 & gpus>=2\n")

    def test_gpus_are_those_of_the_database(self):
        specs = {path.stem for path in Path("cc/target/specs").glob("*.textproto")}
        self.assertEqual(set(requirement.GPUS), specs)


if __name__ == "__main__":
    absltest.main()
