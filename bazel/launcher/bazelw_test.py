# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for the whole of ./bazelw, in a workspace of its own with Bazels that are not."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from bazel.launcher import main

_ROOT = Path(main.__file__).parents[2]

# What ./bazelw may use; nothing else is on PATH here, so no Bazel of this machine, and no apt.
_TOOLS = ("cat", "readlink", "sh", "sleep", "stat")

# Of the files laid over GoogleTest, at the recipe below.
_OVERLAY_SHA256 = "8622066fd92f2dea1983a00574b4703366b099280345747eed2c9ed3bf431737"
_RECIPE = 1


class BazelwTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.workspace = self.root / "workspace"
        self.bin = self.root / "bin"
        self.bin.mkdir()
        shutil.copytree(
            _ROOT / "bazel/launcher",
            self.workspace / "bazel/launcher",
            ignore=lambda _, names: [n for n in names if not n.endswith(".py") or "test" in n],
        )
        self.bazelw = Path(shutil.copy(_ROOT / "bazelw", self.workspace / "bazelw"))
        (self.workspace / ".bazelversion").write_text("7.7.1\n")
        for tool in _TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.script(self.bin / "python3", f'exec "{sys.executable}" "$@"')
        self.environment = {
            "PATH": str(self.bin),
            "HOME": str(self.root),
            "XDG_CACHE_HOME": str(self.root / "cache"),
            "BAZELISK_HOME": str(self.root / "downloads"),
            "LOG": str(self.root / "log"),
        }

    def script(self, path, body):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path

    def bazel(self, name, version="7.7.1"):
        """Writes a program that says it is a Bazel; it logs each call with its arguments."""
        return self.script(
            self.bin / name,
            f'printf "%s|" {name} "$@" >>"$LOG"; echo >>"$LOG"\n'
            f'[ "$1" = --version ] && {{ echo bazel {version}; exit; }}\n'
            f'echo "{name} runs $* as $USE_BAZEL_VERSION"\nexit 7',
        )

    def run_bazelw(self, *arguments, program=None, cwd=None, **environment):
        return subprocess.run(
            [program or self.bazelw, *arguments],
            cwd=cwd or self.workspace,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=100,
        )

    def log(self):
        file = self.root / "log"
        return file.read_text().splitlines() if file.exists() else []


class RunTest(BazelwTestCase):
    def test_becomes_the_bazel_with_all_arguments(self):
        self.bazel("bazel")
        run = self.run_bazelw("build", "//a b:c", "--x=$HOME", "")
        self.assertEqual(run.stdout, "bazel runs build //a b:c --x=$HOME  as 7.7.1\n")
        self.assertEqual(run.returncode, 7)
        self.assertEqual(run.stderr, "")
        self.assertEqual(self.log(), ["bazel|--version|", "bazel|build|//a b:c|--x=$HOME||"])

    def test_the_answer_is_remembered(self):
        self.bazel("bazel")
        for _ in range(3):
            self.assertEqual(self.run_bazelw("info").returncode, 7)
        self.assertEqual(self.log().count("bazel|--version|"), 1)
        # The remembered answer needs no Python.
        (self.bin / "python3").unlink()
        self.assertEqual(self.run_bazelw("info").returncode, 7)

    def test_a_changed_program_is_asked_again(self):
        self.bazel("bazel")
        self.run_bazelw("info")
        self.bazel("bazel", "8.0.0")
        run = self.run_bazelw("info")
        self.assertEqual(run.returncode, 36)
        self.assertIn("is Bazel 8.0.0", run.stderr)

    def test_a_new_program_on_path_is_asked(self):
        self.bazel("bazel")
        self.run_bazelw("info")
        self.bazel("bazelisk")
        self.assertIn("bazelisk runs info", self.run_bazelw("info").stdout)

    def test_another_version_in_the_workspace_is_looked_for(self):
        self.bazel("bazel")
        self.run_bazelw("info")
        (self.workspace / ".bazelversion").write_text("7.7.2")
        run = self.run_bazelw("info")
        self.assertIn("cannot get Bazel 7.7.2", run.stderr)

    def test_from_any_folder_and_through_a_link(self):
        self.bazel("bazel")
        below = self.workspace / "a folder/below"
        below.mkdir(parents=True)
        link = self.root / "link"
        link.symlink_to(self.bazelw)
        for program in ("../../bazelw", str(self.bazelw), str(link)):
            with self.subTest(program):
                run = self.run_bazelw("info", program=program, cwd=below)
                self.assertEqual(run.stdout, "bazel runs info as 7.7.1\n")
        run = self.run_bazelw("bazelw", "info", program="sh")
        self.assertEqual(run.stdout, "bazel runs info as 7.7.1\n")
        self.assertEqual(self.log().count("bazel|--version|"), 1)

    def test_a_folder_with_blanks_and_a_changed_program_in_it(self):
        odd = self.root / "odd $name"
        self.bin.rename(odd)
        self.bin = odd
        self.environment["PATH"] = str(odd)
        self.bazel("bazel")
        self.assertEqual(self.run_bazelw("info").returncode, 7)
        self.bazel("bazel", "8.0.0")
        self.assertEqual(self.run_bazelw("info").returncode, 36)

    def test_a_cache_that_cannot_be_written_is_no_error(self):
        self.bazel("bazel")
        (self.root / "cache").write_text("a file")
        self.assertEqual(self.run_bazelw("info").returncode, 7)

    def test_damaged_answers_are_ignored_and_replaced(self):
        self.bazel("bazel")
        self.run_bazelw("info")
        answers = self.root / "cache/warpyard/bazel/answers"
        good = answers.read_text()
        key = good.splitlines()[0]
        cat = self.bin / "cat"
        for text in ("", "\n\n", f"{key}\n/nowhere\n", f"x{key}\n{cat}\n", key, f"x\n{cat}"):
            answers.write_text(text)
            with self.subTest(text):
                self.assertIn("bazel runs info", self.run_bazelw("info").stdout)
                self.assertIn(good, answers.read_text())

    def test_answers_are_bounded(self):
        self.bazel("bazel")
        for number in range(20):
            self.run_bazelw("info", BAZELISK_BASE_URL=f"http://mirror/{number}")
        lines = (self.root / "cache/warpyard/bazel/answers").read_text().splitlines()
        self.assertEqual(len(lines), 32)
        self.assertIn("http://mirror/19|", lines[-2])

    def test_standard_input_is_bazel_s(self):
        self.script(self.bin / "bazel", '[ "$1" = --version ] && { echo bazel 7.7.1; exit; }; cat')
        for _ in range(2):
            run = subprocess.run(
                [self.bazelw, "run"], env=self.environment, input="typed\n", stdout=-1, text=True
            )
            self.assertEqual(run.stdout, "typed\n")


class OrderTest(BazelwTestCase):
    def test_a_bazelisk_that_hangs_is_passed_over_once(self):
        self.script(self.bin / "bazelisk", 'echo asked >>"$LOG"; sleep 600')
        self.bazel("bazel")
        start = time.monotonic()
        self.assertIn("bazel runs info", self.run_bazelw("info").stdout)
        self.assertLess(time.monotonic() - start, 60)
        self.assertIn("bazel runs info", self.run_bazelw("info").stdout)
        self.assertEqual(self.log().count("asked"), 1)

    def test_the_override_wins_and_does_not_stay(self):
        self.bazel("bazel")
        self.bazel("mine")
        run = self.run_bazelw("info", WARPYARD_BAZEL=str(self.bin / "mine"))
        self.assertIn("mine runs info", run.stdout)
        self.assertIn("mine runs", self.run_bazelw("info", WARPYARD_BAZEL="mine").stdout)
        self.assertIn("bazel runs info", self.run_bazelw("info").stdout)

    def test_a_wrong_override_is_one_line_on_the_error_stream(self):
        self.bazel("bazel")
        self.bazel("mine", "6.0.0")
        for override, words in (
            ("/nowhere/bazel", "WARPYARD_BAZEL=/nowhere/bazel is not a program"),
            ("mine", "WARPYARD_BAZEL=mine is Bazel 6.0.0, but .bazelversion asks for 7.7.1"),
        ):
            with self.subTest(override):
                run = self.run_bazelw("info", WARPYARD_BAZEL=override)
                self.assertEqual(run.returncode, 36)
                self.assertEqual(run.stdout, "")
                self.assertTrue(run.stderr.startswith(f"bazelw: {words}"), run.stderr)
                self.assertEqual(run.stderr.count("\n"), 1)

    def test_bazelw_as_bazel_on_path_does_not_call_itself_for_ever(self):
        (self.bin / "bazel").symlink_to(self.bazelw)
        run = self.run_bazelw("info")
        self.assertEqual(run.returncode, 36)
        self.assertIn("is this launcher itself", run.stderr)
        # Nor does one in another workspace, or one behind a script.
        (self.bin / "bazel").unlink()
        self.script(self.bin / "bazel", f'exec {self.bazelw} "$@"')
        run = self.run_bazelw("info")
        self.assertEqual(run.returncode, 36)
        self.assertIn("called by itself", run.stderr)


class FailureTest(BazelwTestCase):
    def test_where_nothing_works_it_says_what_was_tried_and_what_to_install(self):
        run = self.run_bazelw("info")
        self.assertEqual(run.returncode, 36)
        lines = run.stderr.splitlines()
        self.assertEqual(
            lines[:4],
            [
                "bazelw: cannot get Bazel 7.7.1. Tried:",
                "  - $WARPYARD_BAZEL: not set",
                "  - bazelisk on PATH: none",
                "  - bazel on PATH: none",
            ],
        )
        # Debian without apt on PATH, or another system: the reason differs, and is given.
        self.assertRegex(lines[4], r"^  - Debian packages: (not found on PATH: apt-get|this is )")
        self.assertIn("Install bazelisk", lines[5])

    def test_without_python(self):
        (self.bin / "python3").unlink()
        run = self.run_bazelw("info")
        self.assertEqual(run.returncode, 36)
        self.assertEqual(
            run.stderr,
            "bazelw: python3 is not there; Python 3.10 or later is needed to find Bazel 7.7.1\n",
        )

    def test_with_another_python(self):
        self.bazel("bazel")
        (self.bin / "python3").rename(self.bin / "python-of-mine")
        run = self.run_bazelw("info", WARPYARD_PYTHON="python-of-mine")
        self.assertEqual(run.returncode, 7)

    def test_without_a_version(self):
        (self.workspace / ".bazelversion").write_text("")
        run = self.run_bazelw("info")
        self.assertEqual(run.returncode, 36)
        self.assertEqual(run.stderr, f"bazelw: no version in {self.workspace}/.bazelversion\n")
        (self.workspace / ".bazelversion").unlink()
        self.assertEqual(self.run_bazelw("info").stderr, run.stderr)

    def test_without_a_home(self):
        self.environment["HOME"] = self.environment["XDG_CACHE_HOME"] = ""
        run = self.run_bazelw("info")
        self.assertEqual(run.returncode, 36)
        self.assertIn("neither HOME nor XDG_CACHE_HOME is set", run.stderr)

    def test_an_interrupt_while_asking_ends_what_was_asked(self):
        self.script(self.bin / "bazelisk", 'echo $$ >>"$LOG"; exec sleep 600')
        process = subprocess.Popen(
            [self.bazelw, "info"],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        while not self.log():
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(errors, "bazelw: interrupted; nothing was left behind\n")
        with self.assertRaises(ProcessLookupError):
            os.kill(int(self.log()[0]), 0)


class RecipeTest(unittest.TestCase):
    def test_the_recipe_is_counted_up_with_the_overlay(self):
        # A prefix that is there is not made again: the change would reach nobody.
        digest = hashlib.sha256()
        for file in sorted((_ROOT / "third_party/googletest").glob("*.overlay")):
            digest.update(f"{file.name}\n".encode() + file.read_bytes())
        self.assertEqual(
            (digest.hexdigest(), f"\nrecipe={_RECIPE}\n" in (_ROOT / "bazelw").read_text()),
            (_OVERLAY_SHA256, True),
            "count up `recipe` in bazelw, and change both constants here",
        )


if __name__ == "__main__":
    unittest.main()
