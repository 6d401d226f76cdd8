# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Each check finds a fault that is planted, and is content with a good file."""

import contextlib
import io
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tools.lint import checks, files, house_rules

_HEADER = f"# {house_rules.LICENCE}\n"


class LintTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return Path(name)

    def assert_mended(self, check, name, bad, good):
        path = self.write(name, bad)
        self.assertFalse(check(self.root, [path], False)[0])
        self.assertEqual((self.root / name).read_text(), bad)
        self.assertTrue(check(self.root, [path], True)[0])
        self.assertEqual((self.root / name).read_text(), good)
        self.assertEqual(check(self.root, [path], False), (True, ""))

    def test_clang_format(self):
        self.write(".clang-format", "BasedOnStyle: Google\n")
        self.assert_mended(
            checks.check_cxx, "a.cc", "int  f( ){return 1;}\n", "int f() { return 1; }\n"
        )

    def test_ruff_format(self):
        self.assert_mended(checks.check_python_format, "a.py", "x = {  'a':1 }\n", 'x = {"a": 1}\n')

    def test_ruff_check(self):
        bad, good = "import os\nimport sys\n\nprint(sys.path)\n", "import sys\n\nprint(sys.path)\n"
        self.assert_mended(checks.check_python_style, "a.py", bad, good)

    def test_buildifier(self):
        try:
            checks.programs.buildifier()
        except checks.programs.MissingProgram as reason:
            self.assertIn("buildifier was left out", checks.check_starlark(self.root, [], False)[1])
            self.assertIn("npm", str(reason))
            return
        self.assert_mended(
            checks.check_starlark,
            "BUILD.bazel",
            'filegroup(srcs=["b","a"],name="x")\n',
            'filegroup(\n    name = "x",\n    srcs = [\n        "a",\n        "b",\n    ],\n)\n',
        )

    def test_mypy(self):
        path = self.write("warpyard/a.py", "def f(x: int) -> str:\n    return x\n")
        good, output = checks.types_in(self.root, [path])
        self.assertFalse(good)
        self.assertIn("return-value", output)

    def test_house_rules(self):
        registry = "pypi" + ".org"
        for text in (
            "x = 1\n",
            _HEADER + f"x = 'https://{registry}/simple'\n",
            _HEADER + "x = '/ro" + "ot/x'\n",
            _HEADER + "x = 1",
        ):
            self.assertEqual(len(house_rules.check(Path("a.py"), text)), 1, text)
        self.assertEqual(house_rules.check(Path("a.py"), _HEADER + "x = 1\n"), [])

    def test_only_files_of_the_checkout_are_looked_at(self):
        self.write("kept.py", "x = 1\n")
        self.write("ignored.py", "x = 1\n")
        self.write(".gitignore", "ignored.py\n")
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        self.assertEqual(files.tracked(self.root), [Path(".gitignore"), Path("kept.py")])

    def test_the_exit_status_says_whether_all_is_well(self):
        self.write("a.py", "x = 1\n")
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        with mock.patch.dict(os.environ, BUILD_WORKSPACE_DIRECTORY=str(self.root)):
            with contextlib.redirect_stdout(io.StringIO()) as output:
                self.assertEqual(checks.main(["--only", "house rules"], fix=False), 1)
                self.assertEqual(checks.main(["--only", "ruff format"], fix=False), 0)
        self.assertIn("a.py:1: the first lines lack", output.getvalue())


if __name__ == "__main__":
    unittest.main()
