# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for update, with a function in the place of pip and uv."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import update

REQUIREMENTS = "# The reason.\nnanobind==3.1.0\nrich\n"


def pin(text, digest="a"):
    return f"{text} \\\n    --hash=sha256:{digest * 64}\n    # via -r requirements.in\n"


LOCK = pin("nanobind==3.1.0") + pin("rich==14.0.0")


class UpdateTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.workspace = Path(folder.name)
        self.folder = self.workspace / "third_party/pypi"
        self.folder.mkdir(parents=True)
        (self.folder / "requirements.in").write_text(REQUIREMENTS, encoding="utf-8")
        (self.folder / "requirements_lock.txt").write_text(LOCK, encoding="utf-8")
        self.environment = {"BUILD_WORKSPACE_DIRECTORY": folder.name, "PYTHONPATH": "/elsewhere"}
        self.pip = subprocess.CompletedProcess([], 0, "", "")
        self.uv_calls = []

    def run_main(self, *arguments, lock=LOCK, error="", code=0):
        """Runs the update with a uv that writes `lock`, or fails with `error`."""

        def run(command, **options):
            if command[1:3] == ["-m", "pip"]:
                self.assertNotIn("PYTHONPATH", options["env"])
                return self.pip
            folder = Path(options["cwd"])
            self.uv_calls.append(
                (command, options["env"], (folder / "requirements.in").read_text(encoding="utf-8"))
            )
            self.assertEqual((folder / "requirements_lock.txt").read_text(encoding="utf-8"), LOCK)
            (folder / "requirements_lock.txt").write_text(lock, encoding="utf-8")
            return subprocess.CompletedProcess(command, 2 if error else 0, "", error)

        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, self.environment, clear=True),
            mock.patch("subprocess.run", side_effect=run),
            mock.patch("update.uv_program", return_value="/bin/uv"),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            self.assertEqual(update.main(list(arguments)), code, err.getvalue())
        if code:
            self.assertEqual(err.getvalue().count("\n"), 1, err.getvalue())
            self.assert_files()
        return err.getvalue() if code else out.getvalue()

    def assert_files(self, requirements=REQUIREMENTS, lock=LOCK):
        found = {p.name: p.read_text(encoding="utf-8") for p in self.folder.iterdir()}
        self.assertEqual(found, {"requirements.in": requirements, "requirements_lock.txt": lock})

    def test_everything(self):
        lock = pin("nanobind==3.1.0") + pin("rich==15.0.0", "b")
        self.assertEqual(self.run_main(lock=lock), "rich: 14.0.0 -> 15.0.0\n")
        self.assert_files(lock=lock)
        ((command, environment, requirements),) = self.uv_calls
        self.assertEqual(command[:3], ["/bin/uv", "pip", "compile"])
        self.assertEqual(
            command[-3:], ["requirements.in", "--output-file", "requirements_lock.txt"]
        )
        for option in (
            "--universal",
            "--generate-hashes",
            "--no-emit-index-url",
            "--no-header",
            "--upgrade",
        ):
            self.assertIn(option, command)
        self.assertEqual(command[command.index("--python-version") + 1], "3.10")
        self.assertEqual(command[command.index("--python") + 1], sys.executable)
        self.assertNotIn("PYTHONPATH", environment)
        self.assertEqual(requirements, REQUIREMENTS)

    def test_one_package(self):
        self.run_main("rich")
        ((command, _, _),) = self.uv_calls
        self.assertNotIn("--upgrade", command)
        self.assertEqual(command[command.index("--upgrade-package") + 1], "rich")

    def test_version_of_a_pinned_package(self):
        lock = pin("nanobind==3.2.0", "b") + pin("rich==14.0.0")
        self.assertEqual(self.run_main("nanobind==3.2.0", lock=lock), "nanobind: 3.1.0 -> 3.2.0\n")
        requirements = REQUIREMENTS.replace("3.1.0", "3.2.0")
        self.assert_files(requirements, lock)
        ((command, _, seen),) = self.uv_calls
        self.assertEqual(seen, requirements)
        self.assertIn("nanobind==3.2.0", command)

    def test_files_stay_when_no_pin_changes(self):
        before = {p: p.stat().st_mtime_ns for p in self.folder.iterdir()}
        same = LOCK.replace("via -r requirements.in", "via something-else")
        fewer_files = pin("nanobind==3.1.0", "c") + pin("rich==14.0.0")
        for lock in (LOCK, same, fewer_files):
            self.assertIn("up to date", self.run_main(lock=lock))
            self.assertIn("up to date", self.run_main("rich", lock=lock))
        self.assert_files()
        self.assertEqual({p: p.stat().st_mtime_ns for p in self.folder.iterdir()}, before)

    def test_new_hashes_of_a_package_that_was_named(self):
        lock = pin("nanobind==3.1.0") + pin("rich==14.0.0", "b")
        self.assertEqual(self.run_main("rich", lock=lock), "rich: hashes\n")
        self.assert_files(lock=lock)

    def test_pips_configuration_reaches_uv(self):
        self.pip.stdout = (
            "global.index-url='https://mirror.example.com/simple'\n"
            f":env:.cert={update.__file__!r}\n"
        )
        self.run_main()
        ((_, environment, _),) = self.uv_calls
        self.assertEqual(environment["UV_DEFAULT_INDEX"], "https://mirror.example.com/simple")
        self.assertEqual(environment["SSL_CERT_FILE"], update.__file__)

    def test_certificates_that_are_not_there(self):
        self.pip.stdout = ":env:.cert='/nowhere/mirror.pem'\n"
        self.assertIn("certificates in /nowhere/mirror.pem", self.run_main(code=1))
        self.assertEqual(self.uv_calls, [])

    def test_addresses_never_reach_the_lock_file(self):
        for line in (
            "--index-url https://mirror.example.com/simple\n",
            "-i mirror\n",
            "# from https://mirror.example.com/simple\n",
            "some @ file:///wheels/some.whl\n",
        ):
            message = self.run_main(lock=line + pin("rich==15.0.0"), code=1)
            self.assertIn(f"which fits no other machine: {line.strip()}", message)

    def test_uv_fails(self):
        message = self.run_main(
            error="  \u00d7 No solution found when resolving dependencies:\n"
            "  \u2570\u2500\u25b6 Because there is no version of rich==99 and you require\n"
            "      rich==99, we can conclude that your requirements are unsatisfiable.\n",
            code=1,
        )
        self.assertEqual(
            message,
            "warpyard: cannot update: uv cannot resolve requirements.in: No solution found when "
            "resolving dependencies: Because there is no version of rich==99 and you require "
            "rich==99, we can conclude that your requirements are unsatisfiable.\n",
        )

    def test_index_out_of_reach(self):
        message = self.run_main(
            error="error: Request failed after 3 retries\n  cause: dns error\n"
            "  cause: no such name\n",
            code=1,
        )
        self.assertTrue(
            message.endswith(": Request failed after 3 retries: dns error: no such name\n"), message
        )

    def test_pip_fails(self):
        self.pip = subprocess.CompletedProcess([], 1, "", "python3: No module named pip\n")
        message = self.run_main(code=1)
        self.assertIn("cannot read pip's configuration with", message)
        self.assertIn("No module named pip", message)
        self.assertEqual(self.uv_calls, [])

    def test_wrong_wishes(self):
        for wish, expected in (
            ("rich>=1", "found 'rich>=1', expected PACKAGE or PACKAGE==VERSION"),
            ("scipy", "scipy is neither in requirements.in nor in the lock file"),
            ("nanobind", "nanobind is pinned to 3.1.0 in requirements.in"),
        ):
            self.assertIn(f"warpyard: cannot update: {expected}", self.run_main(wish, code=1))
        self.assertEqual(self.uv_calls, [])

    def test_started_by_hand(self):
        del self.environment["BUILD_WORKSPACE_DIRECTORY"]
        self.assertIn("./bazelw run //third_party/pypi:update", self.run_main(code=1))

    def test_another_workspace(self):
        self.environment["BUILD_WORKSPACE_DIRECTORY"] = "/nowhere"
        self.assertIn(
            "there is no third_party/pypi/requirements.in in the workspace /nowhere",
            self.run_main(code=1),
        )


if __name__ == "__main__":
    unittest.main()
