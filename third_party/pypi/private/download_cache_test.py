# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for download_cache."""

import hashlib
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

import download_cache
from lock_file import Requirement

GOOD = b"a wheel"
PIN = Requirement("some", "1.0", "", frozenset({hashlib.sha256(GOOD).hexdigest()}))

# Another process that takes a lock, says so, and waits to be told to end.
HOLDER = """
import sys
sys.path.insert(0, sys.argv[1])
import download_cache
with download_cache.locked("entry"):
    print("held", flush=True)
    sys.stdin.readline()
"""


class CacheTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        patch = mock.patch.dict(os.environ, {"WARPYARD_CACHE_DIR": folder.name})
        patch.start()
        self.addCleanup(patch.stop)
        self.entry = self.root / "downloads" / "entry"

    def fill(self, **files):
        self.entry.mkdir(parents=True)
        for name, content in files.items():
            (self.entry / name).write_bytes(content)


class RootTest(CacheTest):
    def test_named(self):
        self.assertEqual(download_cache.root(), self.root)

    @unittest.skipIf(os.name == "nt", "XDG is not of Windows")
    def test_of_the_user(self):
        del os.environ["WARPYARD_CACHE_DIR"]
        with mock.patch.dict(os.environ, {"HOME": "/home/user", "XDG_CACHE_HOME": ""}):
            self.assertEqual(download_cache.root(), Path("/home/user/.cache/warpyard"))
            os.environ["XDG_CACHE_HOME"] = "/fast"
            self.assertEqual(download_cache.root(), Path("/fast/warpyard"))


class KeyTest(unittest.TestCase):
    def test_everything_that_decides_is_in_it(self):
        keys = [download_cache.key([PIN], False), download_cache.key([PIN], True)]
        keys.append(download_cache.key([PIN, PIN], False))
        for change in (
            mock.patch("platform.machine", return_value="riscv64"),
            mock.patch("sys.platform", "plan9"),
            mock.patch("sys.version_info", (3, 99)),
        ):
            with change:
                keys.append(download_cache.key([PIN], False))
        for other in (
            Requirement("some", "1.1", "", PIN.hashes),
            Requirement("some", "1.0", "", PIN.hashes | {"b" * 64}),
            Requirement("some", "1.0", "python_version >= '3'", PIN.hashes),
        ):
            keys.append(download_cache.key([other], False))
        self.assertEqual(len(set(keys)), len(keys))
        self.assertEqual(download_cache.key([PIN], False), keys[0])


class VerifiedFilesTest(CacheTest):
    def check(self):
        return download_cache.verified_files(self.entry, [PIN])

    def test_no_entry(self):
        self.assertIsNone(self.check())

    def test_good_files(self):
        self.fill(some=GOOD, same=GOOD)
        self.assertEqual(self.check(), [self.entry / "same", self.entry / "some"])

    def test_damaged_file_removes_the_entry(self):
        self.fill(good=GOOD, some=GOOD + b"!")
        self.assertIsNone(self.check())
        self.assertFalse(self.entry.exists())

    def test_file_of_another_requirement(self):
        self.fill(some=GOOD)
        other = Requirement("other", "1.0", "", frozenset({"b" * 64}))
        self.assertIsNone(download_cache.verified_files(self.entry, [other]))

    def test_hash_of_any_of_the_requirements(self):
        self.fill(some=GOOD)
        other = Requirement("some", "2.0", "", frozenset({"b" * 64}))
        self.assertIsNotNone(download_cache.verified_files(self.entry, [other, PIN]))

    def test_entry_that_lost_its_files(self):
        self.fill()
        self.assertIsNone(self.check())
        self.assertFalse(self.entry.exists())

    def test_folder_in_an_entry(self):
        self.fill(some=GOOD)
        (self.entry / "folder").mkdir()
        self.assertIsNone(self.check())
        self.assertFalse(self.entry.exists())


class FillingTest(CacheTest):
    def setUp(self):
        super().setUp()
        self.entry.parent.mkdir()

    def test_becomes_the_entry_at_the_end(self):
        with download_cache.filling(self.entry) as staging:
            (staging / "some").write_bytes(GOOD)
            self.assertFalse(self.entry.exists())
        self.assertEqual((self.entry / "some").read_bytes(), GOOD)
        self.assertEqual([p.name for p in self.entry.parent.iterdir()], ["entry"])

    def test_interrupted_leaves_nothing(self):
        for interruption in (KeyboardInterrupt, OSError, SystemExit):
            with self.assertRaises(interruption):
                with download_cache.filling(self.entry) as staging:
                    (staging / "some").write_bytes(GOOD)
                    raise interruption
            self.assertEqual(list(self.entry.parent.iterdir()), [])

    def test_starts_anew_after_a_kill(self):
        left = self.entry.with_name("entry.new")
        left.mkdir()
        (left / "half").write_bytes(b"a wh")
        with download_cache.filling(self.entry) as staging:
            self.assertEqual(list(staging.iterdir()), [])


class LockTest(CacheTest):
    def test_gives_the_folder_and_makes_no_entry(self):
        with download_cache.locked("entry") as folder:
            self.assertEqual(folder, self.entry)
            self.assertFalse(folder.exists())

    def test_waits_for_another_process(self):
        taken = threading.Event()

        def take():
            with download_cache.locked("entry"):
                taken.set()

        with subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(Path(download_cache.__file__).parent)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as holder:
            assert holder.stdin is not None and holder.stdout is not None
            self.assertEqual(holder.stdout.readline(), "held\n")
            thread = threading.Thread(target=take)
            thread.start()
            self.assertFalse(taken.wait(0.3))
            with download_cache.locked("another"):
                pass  # Entries do not wait for each other.
            holder.stdin.write("\n")
            holder.stdin.flush()
            self.assertTrue(taken.wait(30))
            thread.join()

    def test_lock_ends_with_its_process(self):
        with subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(Path(download_cache.__file__).parent)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as holder:
            assert holder.stdout is not None
            self.assertEqual(holder.stdout.readline(), "held\n")
            holder.kill()
            holder.wait()
            with download_cache.locked("entry"):
                pass


if __name__ == "__main__":
    unittest.main()
