# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for assembly, with stand-ins for apt and dpkg-deb."""

import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from bazel.launcher import assembly, fake_packages, host
from bazel.launcher.errors import LauncherError, Unavailable
from bazel.launcher.progress import Progress

_ROOT = Path(assembly.__file__).parents[2]
_HOST = host.Host("bookworm", "amd64", "x86_64-linux-gnu", "ld-linux-x86-64.so.2")

# Assembles in a process of its own, as ./bazelw does: prefix, overlay.
_ASSEMBLE = """
import sys
from pathlib import Path
from unittest import mock
from bazel.launcher import assembly, host, processes
from bazel.launcher.errors import Interrupted
from bazel.launcher.progress import Progress
machine = host.Host("bookworm", "amd64", "x86_64-linux-gnu", "ld-linux-x86-64.so.2")
try:
    with processes.interruptible(), mock.patch.object(host, "detect", return_value=machine):
        print(assembly.ensure(Path(sys.argv[1]), "7.7.1", Path(sys.argv[2]), Progress()))
except Interrupted as error:
    sys.exit(128 + error.signal_number)
"""


class AssemblyTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.tools = self.root / "tools"
        # The archive's version is Debian's, its Bazel's own is without Debian's suffix.
        fake_packages.write(self.tools)
        bazel = self.tools / "fake-bazel"
        bazel.write_text(bazel.read_text().replace('version")"', 'version" | cut -d+ -f1)"'))
        self.overlay = self.root / "overlay"
        self.overlay.mkdir()
        (self.overlay / "BUILD.bazel.overlay").write_text("# laid over\n")
        self.prefix = self.root / "cache" / "debian"
        self.said = io.StringIO()
        for patch in (
            mock.patch.dict(os.environ, {"PATH": f"{self.tools}{os.pathsep}{os.environ['PATH']}"}),
            mock.patch.object(host, "detect", return_value=_HOST),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def ensure(self):
        return assembly.ensure(self.prefix, "7.7.1", self.overlay, Progress(self.said))

    def left(self):
        """Returns what is beside the prefix, but for the lock."""
        return sorted(p.name for p in self.prefix.parent.iterdir() if p.suffix != ".lock")


class EnsureTest(AssemblyTestCase):
    def test_assembles_once(self):
        program = self.ensure()
        answer = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
        self.assertEqual(answer, "bazel 7.7.1\n")
        self.assertEqual(self.left(), ["debian"])
        self.assertEqual(
            fake_packages.steps(self.tools), ["update", "install", "download", "extract"]
        )
        self.assertEqual(self.ensure(), program)
        self.assertEqual(len(fake_packages.steps(self.tools)), 4)

    def test_says_what_goes_on(self):
        self.ensure()
        said = self.said.getvalue()
        for words in (
            f"setting up Bazel 7.7.1 from Debian packages, once, in {self.prefix}\n",
            "reading the package lists of Debian forky (http://m/debian)\n",
            "fetching 3 packages",
            "unpacking 3 packages\n",
            "set up Bazel 7.7.1 in",
        ):
            self.assertIn(f"bazelw: {words}", said)

    def test_records_what_it_took(self):
        self.ensure()
        self.assertEqual(
            (self.prefix / "warpyard/packages.txt").read_text(),
            "# Debian forky (http://m/debian)\n"
            "bazel-bootstrap_1_amd64\ngoogletest_1_amd64\nopenjdk-25-jre-headless_1_amd64\n",
        )

    def test_starts_with_every_module_overridden(self):
        program = self.ensure()
        own = self.prefix / "warpyard"
        options = (own / "bazelrc").read_text()
        self.assertIn(f"common --override_module=googletest={own}/googletest\n", options)
        self.assertEqual((own / "googletest/BUILD.bazel").read_text(), "# laid over\n")
        for option in (
            f"--bazelrc={own}/bazelrc",
            f"--install_base={self.prefix}/usr/share/bazel",
            f"--server_javabase={self.prefix}/usr/lib/jvm/java-25",
        ):
            self.assertIn(f"'{option}'", program.read_text())

    def test_below_tmp_the_sandbox_is_shown_the_prefix(self):
        for final, shown in ((Path("/tmp/x/debian"), True), (Path("/tmpx/debian"), False)):
            with self.subTest(final), tempfile.TemporaryDirectory() as folder:
                at = Path(folder)
                root = at / "root"
                root.mkdir()
                for name in ("bazel-bootstrap", "openjdk-25-jre-headless", "googletest"):
                    (at / name).write_text(name)
                    subprocess.run(["dpkg-deb", "--extract", at / name, root], check=True)
                prefix = assembly.relocation.Prefix(at=root, final=final)
                job = assembly._Job("7.7.1", final, self.overlay, _HOST, Progress(self.said))
                assembly._make_runnable(job, prefix)
                options = (root / "warpyard/bazelrc").read_text()
                self.assertEqual(f"--sandbox_add_mount_pair={final}\n" in options, shown)

    def test_another_version_in_the_archive_is_told(self):
        (self.tools / "version").write_text("8.1.0+ds-1\n")
        with self.assertRaisesRegex(
            Unavailable, r"Debian forky \(.*\): it packages Bazel 8.1.0\+ds"
        ):
            self.ensure()
        self.assertEqual(self.left(), [])

    def test_a_failing_step_leaves_nothing(self):
        for step, error in (
            ("update", Unavailable),
            ("install", Unavailable),
            ("download", Unavailable),
            ("extract", LauncherError),
        ):
            (self.tools / "fail").write_text(step)
            with self.subTest(step), self.assertRaisesRegex(error, f"no {step} today"):
                self.ensure()
            self.assertEqual(self.left(), [])

    def test_the_next_archive_is_tried(self):
        (self.tools / "sources.list").write_text(
            "deb [signed-by=/debian-archive] http://one/debian sid main\n"
            "deb [signed-by=/debian-archive] http://two/debian sid main\n"
        )
        (self.tools / "fail").write_text("update")
        with self.assertRaisesRegex(Unavailable, "http://one/debian.*; .*http://two/debian"):
            self.ensure()
        self.assertEqual(fake_packages.steps(self.tools), ["update", "update"])

    def test_without_an_archive_the_sources_are_blamed(self):
        (self.tools / "sources.list").write_text("")
        with self.assertRaisesRegex(Unavailable, "apt sources name neither"):
            self.ensure()

    def test_a_bazel_that_does_not_start_is_not_kept(self):
        (self.tools / "fake-bazel").write_text("#!/bin/sh\necho no such jar >&2\nexit 1\n")
        with self.assertRaisesRegex(LauncherError, "does not start: no such jar"):
            self.ensure()
        self.assertEqual(self.left(), [])

    def test_what_a_killed_run_left_is_replaced(self):
        self.prefix.mkdir(parents=True)
        (self.prefix / "half").write_text("")
        partial = self.prefix.with_name("debian.partial")
        partial.mkdir()
        (partial / "half").write_text("")
        self.ensure()
        self.assertEqual(self.left(), ["debian"])
        self.assertFalse((self.prefix / "half").exists())

    def test_a_folder_with_a_blank_is_refused(self):
        self.prefix = self.root / "my cache" / "debian"
        with self.assertRaisesRegex(Unavailable, "blank"):
            self.ensure()


class ProcessTest(AssemblyTestCase):
    """Assembles in processes of their own, to interrupt them and to run two at once."""

    def start(self):
        process = subprocess.Popen(
            [sys.executable, "-B", "-c", _ASSEMBLE, self.prefix, self.overlay],
            env={**os.environ, "PYTHONPATH": str(_ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(process.kill)
        return process

    def wait_for_pids(self):
        """Returns the processes that hang, once they do."""
        file = self.tools / "pids"
        while not file.exists() or not file.read_text().endswith("\n"):
            time.sleep(0.02)
        return [int(pid) for pid in file.read_text().split()]

    def assert_gone(self, pids):
        for pid in pids:
            stat = Path(f"/proc/{pid}/stat")
            for _ in range(200):
                try:
                    if stat.read_text().rpartition(")")[2].split()[0] == "Z":
                        break
                except (FileNotFoundError, ProcessLookupError):
                    break
                time.sleep(0.05)
            else:
                self.fail(f"process {pid} still runs")

    @unittest.skipUnless(Path("/proc/self/stat").exists(), "no /proc")
    def test_an_interrupt_at_any_step_leaves_nothing(self):
        for step, number in (
            ("update", signal.SIGINT),
            ("download", signal.SIGTERM),
            ("extract", signal.SIGINT),
            ("extract", signal.SIGHUP),
        ):
            with self.subTest(step=step, number=number):
                (self.tools / "hang").write_text(step)
                (self.tools / "pids").unlink(missing_ok=True)
                process = self.start()
                pids = self.wait_for_pids()
                process.send_signal(number)
                _, errors = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 128 + number, errors)
                self.assertEqual(self.left(), [])
                self.assert_gone(pids)
        (self.tools / "hang").unlink()
        self.assertTrue(self.ensure().is_file())

    def test_after_a_kill_the_next_run_starts_afresh(self):
        (self.tools / "hang").write_text("download")
        process = self.start()
        pids = self.wait_for_pids()
        process.kill()
        process.communicate()
        self.assertEqual(self.left(), ["debian.partial"])
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        (self.tools / "hang").unlink()
        self.assertTrue(self.ensure().is_file())
        self.assertEqual(self.left(), ["debian"])

    def test_of_two_at_once_one_works_and_the_other_waits(self):
        processes = [self.start() for _ in range(2)]
        results = [process.communicate(timeout=60) for process in processes]
        self.assertEqual([process.returncode for process in processes], [0, 0], results)
        self.assertEqual(results[0][0], results[1][0])
        self.assertEqual(fake_packages.steps(self.tools).count("download"), 1)

    def test_the_one_that_waits_says_for_whom(self):
        (self.tools / "hang").write_text("update")
        first = self.start()
        pids = self.wait_for_pids()
        second = self.start()
        self.assertEqual(
            second.stderr.readline(),
            f"bazelw: waiting for process {first.pid}, which is setting up Bazel 7.7.1\n",
        )
        (self.tools / "hang").unlink()
        os.kill(pids[1], signal.SIGKILL)  # The step goes on.
        for process in (first, second):
            output, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, errors)
            self.assertEqual(output, f"{self.prefix}/warpyard/bazel\n")
        self.assertEqual(fake_packages.steps(self.tools).count("download"), 1)


if __name__ == "__main__":
    unittest.main()
