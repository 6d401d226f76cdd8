# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The pages of the harness say what is so."""

import re
import shlex
from pathlib import Path

from absl.testing import absltest
from programs import ProgramTest

from warpyard.cli.main import _parser
from warpyard.testing import requirement, verdicts

_PAGES = {
    name: Path("docs", name).read_text(encoding="utf-8")
    for name in ("lanes.md", "requirements.md", "testing.md")
}


def _blocks(page: str, language: str) -> list[str]:
    pattern = rf"^```{language}\n(.*?)^```"
    return re.findall(pattern, _PAGES[page], re.MULTILINE | re.DOTALL)


class DocsTest(ProgramTest):
    def test_commands_are_commands(self):
        found = 0
        for page in _PAGES:
            for line in "".join(_blocks(page, "[a-z+]*")).splitlines():
                for prefix in ("$ warpyard ", "./bazelw run //:warpyard -- "):
                    if line.startswith(prefix):
                        arguments = shlex.split(line.removeprefix(prefix), comments=True)
                        self.assertTrue(callable(_parser().parse_args(arguments).run))
                        found += 1
        self.assertGreaterEqual(found, 2)

    def test_flags_of_the_command_are_told(self):
        with self.assertRaises(SystemExit):
            _parser().parse_args(["test", "--nothing"])
        for flag in ("--lane", "--map", "--json", "--verify"):
            self.assertIn(flag, _PAGES["testing.md"])

    def test_requirements_are_requirements(self):
        for line in _blocks("requirements.md", "")[0].splitlines():
            self.assertTrue(requirement.parse(line), line)

    def test_errors_are_those_that_are_told(self):
        for line in _blocks("requirements.md", "")[1].splitlines():
            text = re.match(r'requirement "(.*?)": ', line)[1]
            with self.assertRaises(requirement.RequirementError) as caught:
                requirement.parse(text)
            self.assertStartsWith(str(caught.exception), line.removesuffix("…"))

    def test_every_key_is_told(self):
        table = _PAGES["requirements.md"].partition("| key |")[2]
        for key in requirement.KEYS:
            self.assertRegex(table, rf"(?m)^\|.*`{key}`")

    def test_every_verdict_is_told(self):
        for verdict in ("passed", "failed", "skipped", "xfail", "xpass", "never_ran"):
            self.assertIn(f"`{verdict}`", _PAGES["testing.md"])
        self.assertIn(verdicts.FILE_NAME, _PAGES["testing.md"])

    def test_python_runs(self):
        (code,) = _blocks("testing.md", "python")
        run = self.run_python(code, "pytest")
        self.assertEqual(run.code, 0, run.output)
        self.assertEqual(run.case("test_forward")["requirement"], "sm>=10.0")

    def test_attributes_are_those_of_the_rules(self):
        code = Path("bazel/private/testing/gpu_test.bzl").read_text(encoding="utf-8")
        for name in re.findall(r"^\| `(\w+)`(?:, `(\w+)`)? \| ", _PAGES["testing.md"], re.M):
            for attribute in filter(None, name):
                if attribute not in ("passed", "skipped", "failed", "xpass", "never_ran"):
                    self.assertRegex(code, rf"\n            {attribute} = ", attribute)


if __name__ == "__main__":
    absltest.main()
