# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The commands and the Python code in the pages do what they say."""

import contextlib
import os
import pathlib
import re
import shlex

from absl.testing import absltest, parameterized
from command import EXAMPLES, CommandTest

from warpyard.cli.main import _parser


def _read(*names: str) -> dict[str, str]:
    return {name: pathlib.Path(name).read_text("utf-8") for name in names}


_PAGES = _read("README.md", "docs/cli.md", "docs/running.md")
_PYTHON = _read("README.md", "docs/python.md", "docs/running.md")


def _blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def _commands(text: str) -> list[list[str]]:
    """Arguments of `warpyard` and of `./bazelw run //:warpyard --` in fenced blocks."""
    lines = [line for block in _blocks(text, "[a-z]*") for line in block.splitlines()]
    found = []
    for line in lines:
        for prefix in ("warpyard ", "./bazelw run //:warpyard -- "):
            if line.startswith(prefix):
                found.append(shlex.split(line.removeprefix(prefix)))
    return found


class DocsTest(CommandTest, parameterized.TestCase):
    @parameterized.parameters(*_PAGES)
    def test_commands_are_commands(self, page: str) -> None:
        commands = _commands(_PAGES[page])
        self.assertNotEmpty(commands)
        for arguments in commands:
            self.assertTrue(callable(_parser().parse_args(arguments).run), arguments)

    def test_flags_of_the_page_are_those_of_the_command(self) -> None:
        help_text = self.run_command("compile", "--help").stdout
        told = set(re.findall(r"`(-[A-Za-z]|--[a-z-]+)\b", _PAGES["docs/cli.md"]))
        known = set(re.findall(r"(?<![\w=-])(-[A-Za-z]\b|--[a-z-]+)", help_text))
        self.assertEmpty(known - told - {"-h", "--help", "-t", "--jobs", "--output", "--target"})
        self.assertEmpty(told - known)

    def test_flags_of_warpyard_run(self) -> None:
        help_text = self.run_command("run", "--help").stdout
        section = _PAGES["docs/running.md"].split("### `warpyard run`")[1].split("\n### ")[0]
        told = set(re.findall(r"`(-[A-Za-z]|--[a-z-]+)\b", section))
        known = set(re.findall(r"(?<![\w=-])(-[A-Za-z]\b|--[a-z-]+)", help_text))
        self.assertEqual(told, known - {"-h", "--help"})

    def test_the_kernel_of_the_page_runs(self) -> None:
        self.write("saxpy.cu", (EXAMPLES / "saxpy.cu").read_bytes())
        (arguments,) = [a for a in _commands(_PAGES["docs/running.md"]) if a[0] == "run"]
        done = self.run_command(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("arg 2: float32[1000]", done.stdout)

    @parameterized.parameters(
        *((page, i) for page, text in _PYTHON.items() for i in range(len(_blocks(text, "python"))))
    )
    def test_python_code_runs(self, page: str, index: int) -> None:
        code = _blocks(_PYTHON[page], "python")[index]
        self.write("softmax.cu", (EXAMPLES / "softmax.cu").read_bytes())
        os.environ["WARPYARD_CACHE_DIR"] = str(self.cache)
        with _chdir(self.folder):
            exec(compile(code, page, "exec"), {})


@contextlib.contextmanager
def _chdir(folder: pathlib.Path):
    """What `contextlib.chdir` does from Python 3.11 on."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


if __name__ == "__main__":
    absltest.main()
