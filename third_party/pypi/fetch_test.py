# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for fetch: what it says when pip fails, and the whole of it with the real pip."""

import contextlib
import hashlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

import fetch


def retry(error):
    """pip's warning about a connection that failed with `error`, which has this `repr`."""
    return (
        "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) "
        f"after connection broken by '{error}': /simple/some/\n"
        "ERROR: Could not find a version that satisfies the requirement some==1.0 "
        "(from versions: none)\nERROR: No matching distribution found for some==1.0\n"
    )


class CauseTest(unittest.TestCase):
    def test_first_error(self):
        self.assertEqual(
            fetch.cause_of(
                "Looking in indexes: https://example.com/simple\n"
                "ERROR: Could not find a version that satisfies the requirement some==1.0\n"
                "ERROR: No matching distribution found for some==1.0\n"
            ),
            "Could not find a version that satisfies the requirement some==1.0",
        )

    def test_index_out_of_reach(self):
        for error, reason in (
            (
                "NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at "
                "0x7f01>: Failed to establish a new connection: [Errno -2] Name or service not "
                "known')",
                "Failed to establish a new connection: [Errno -2] Name or service not known",
            ),
            (
                "NewConnectionError(\"HTTPSConnection(host='example.com', port=443): Failed to "
                'establish a new connection: [Errno 111] Connection refused")',
                "Failed to establish a new connection: [Errno 111] Connection refused",
            ),
            (
                "ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 407 "
                "Proxy Authentication Required'))",
                "Tunnel connection failed: 407 Proxy Authentication Required",
            ),
            (
                "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] "
                "certificate verify failed: unable to get local issuer certificate "
                "(_ssl.c:1002)'))",
                "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local "
                "issuer certificate (_ssl.c:1002)",
            ),
            (
                "ReadTimeoutError(\"HTTPSConnectionPool(host='example.com', port=443): Read timed "
                'out. (read timeout=15)")',
                "Read timed out. (read timeout=15)",
            ),
            (
                "ProtocolError('Connection aborted.', RemoteDisconnected('Remote end closed "
                "connection without response'))",
                "Remote end closed connection without response",
            ),
        ):
            with self.subTest(error):
                self.assertEqual(
                    fetch.cause_of(retry(error)), f"the index cannot be reached: {reason}"
                )

    def test_wrong_hash_counts_more_than_a_connection_that_came_back(self):
        output = retry("ProtocolError('Connection aborted.')").partition("ERROR")[0] + (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have "
            "updated the package versions, please update the hashes.\n"
        )
        self.assertEqual(
            fetch.cause_of(output), "the file that the index served does not have a pinned hash"
        )

    def test_other_output(self):
        self.assertEqual(
            fetch.cause_of("Traceback:\nMemoryError: too much\n\n"), "MemoryError: too much"
        )
        self.assertEqual(fetch.cause_of(" \n"), "pip gave no reason")


class FetchTest(unittest.TestCase):
    """A lock file with `some` 1.0, and a cache of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.index = self.folder / "index"
        self.index.mkdir()
        self.output = self.folder / "output"
        self.output.mkdir()
        self.wheel = self.index / "some-1.0-py3-none-any.whl"
        with zipfile.ZipFile(self.wheel, "w") as archive:
            archive.writestr("some/__init__.py", "x = 1\n")
            archive.writestr("some/BUILD", "")
            info = "some-1.0.dist-info/"
            archive.writestr(
                info + "METADATA",
                "Metadata-Version: 2.1\nName: some\nVersion: 1.0\nRequires-Dist: other\n",
            )
            archive.writestr(
                info + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            archive.writestr(info + "RECORD", "")
        self.digest = hashlib.sha256(self.wheel.read_bytes()).hexdigest()
        self.lock = self.folder / "lock.txt"
        self.write_lock()
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("PIP_")}
        self.environment["WARPYARD_CACHE_DIR"] = str(self.folder / "cache")
        self.environment["PIP_CONFIG_FILE"] = os.devnull
        # Nothing but the folder of this test is an index, and nothing waits for a network.
        self.environment["PIP_NO_INDEX"] = "1"
        self.environment["PIP_FIND_LINKS"] = str(self.index)

    def write_lock(self, digest=None, marker=""):
        other = f"other==2.0 --hash=sha256:{'b' * 64}\n"
        self.lock.write_text(
            f"some==1.0{marker} --hash=sha256:{digest or self.digest}\n{other}", encoding="utf-8"
        )

    def arguments(self, *more, package="some"):
        places = ["--lock", str(self.lock), "--output", str(self.output)]
        return [*places, "--package", package, *more]


class FakePipTest(FetchTest):
    """With a function in pip's place."""

    def run_main(self, pip, *more, package="some"):
        stderr = io.StringIO()
        with (
            mock.patch.dict(os.environ, self.environment, clear=True),
            mock.patch("subprocess.run", side_effect=pip) as self.pip,
            contextlib.redirect_stderr(stderr),
        ):
            code = fetch.main(self.arguments(*more, package=package))
        message = stderr.getvalue()
        if code:
            self.assertEqual(message.count("\n"), 1, message)
        return code, message

    def serve(self, command, **_):
        into = Path(command[command.index("--dest") + 1])
        (into / self.wheel.name).write_bytes(self.wheel.read_bytes())
        return subprocess.CompletedProcess(command, 0, "", "")

    def failing(self, stderr, code=1):
        return lambda command, **_: subprocess.CompletedProcess(command, code, "", stderr)

    def test_command(self):
        seen = {}

        def pip(command, **options):
            seen["requirements"] = Path(command[-1]).read_text(encoding="utf-8")
            seen["environment"] = options["env"]
            return self.serve(command)

        self.environment["PYTHONPATH"] = "/elsewhere"
        self.assertEqual(self.run_main(pip), (0, ""))
        command = self.pip.call_args[0][0]
        self.assertEqual(command[:4], [sys.executable, "-m", "pip", "download"])
        self.assertIn("--require-hashes", command)
        self.assertEqual(command[command.index("--only-binary") + 1], "some")
        self.assertNotIn("--no-binary", command)
        self.assertEqual(seen["requirements"], f"some==1.0 --hash=sha256:{self.digest}\n")
        self.assertNotIn("PYTHONPATH", seen["environment"])
        self.assertFalse(Path(command[-1]).exists())

    def test_source_distribution_is_never_a_wheel(self):
        code, message = self.run_main(self.failing("ERROR: No matching"), "--sdist")
        command = self.pip.call_args[0][0]
        self.assertEqual(command[command.index("--no-binary") + 1], "some")
        self.assertNotIn("--only-binary", command)
        self.assertEqual(code, 1)
        self.assertIn("cannot fetch some 1.0 ", message)

    def test_second_fetch_asks_nobody(self):
        self.assertEqual(self.run_main(self.serve), (0, ""))
        self.assertEqual(self.run_main(self.failing("")), (0, ""))
        self.pip.assert_not_called()

    def test_damaged_cache_is_filled_again(self):
        self.run_main(self.serve)
        (kept,) = (self.folder / "cache").rglob("*.whl")
        kept.write_bytes(kept.read_bytes()[:-1])
        self.assertEqual(self.run_main(self.serve), (0, ""))
        self.pip.assert_called_once()
        self.assertEqual(kept.read_bytes(), self.wheel.read_bytes())

    def test_failed_download_is_not_kept(self):
        def pip(command, **options):
            self.serve(command)
            return subprocess.CompletedProcess(command, 1, "", "ERROR: it broke off")

        code, message = self.run_main(pip)
        self.assertEqual(code, 1)
        self.assertIn("cannot fetch some 1.0 with", message)
        self.assertIn(": it broke off. Check that `pip download` works", message)
        self.assertEqual(list((self.folder / "cache").rglob("*.whl")), [])
        self.assertEqual(self.run_main(self.serve), (0, ""))

    def test_no_pip(self):
        code, message = self.run_main(self.failing(f"{sys.executable}: No module named pip\n"))
        self.assertEqual(code, 1)
        self.assertRegex(message, r"^warpyard: cannot fetch some 1\.0: \S+ has no pip\. Install it")
        self.assertIn("WARPYARD_PYTHON", message)

    def test_pip_that_lies_about_hashes(self):
        def pip(command, **_):
            done = self.serve(command)
            into = Path(command[command.index("--dest") + 1])
            (into / self.wheel.name).write_bytes(b"something else")
            return done

        code, message = self.run_main(pip)
        self.assertEqual(code, 1)
        self.assertIn(
            "cannot fetch some 1.0: a downloaded file does not have a pinned hash", message
        )

    def test_python_that_cannot_be_run(self):
        code, message = self.run_main(OSError(12, "Cannot allocate memory"))
        self.assertEqual(code, 1)
        self.assertIn("cannot fetch some 1.0: [Errno 12] Cannot allocate memory", message)

    def test_not_pinned(self):
        code, message = self.run_main(self.serve, package="another")
        self.assertEqual(code, 1)
        self.assertEqual(message, "warpyard: cannot fetch another: it is not pinned in lock.txt\n")
        self.pip.assert_not_called()

    def test_lock_file_that_is_missing_or_is_none(self):
        self.lock.write_text("some>=1.0\n", encoding="utf-8")
        code, message = self.run_main(self.serve)
        self.assertEqual(
            (code, message), (1, "warpyard: lock.txt: not a pinned requirement: 'some>=1.0'\n")
        )
        self.lock.unlink()
        code, message = self.run_main(self.serve)
        self.assertEqual(code, 1)
        self.assertIn("lock.txt", message)

    def test_prefix_that_is_not_there(self):
        code, message = self.run_main(self.serve, "--strip-prefix", "include")
        self.assertEqual(code, 1)
        self.assertIn(f"cannot unpack some 1.0: {self.wheel.name} holds no file", message)

    def test_cache_that_cannot_be_made(self):
        (self.folder / "cache").write_text("", encoding="utf-8")
        code, message = self.run_main(self.serve)
        self.assertEqual(code, 1)
        self.assertIn("cannot fetch some 1.0: ", message)

    def test_drop_build_files(self):
        self.run_main(self.serve)
        self.assertTrue((self.output / "site-packages/some/BUILD").exists())
        self.run_main(self.serve, "--drop-build-files")
        self.assertFalse((self.output / "site-packages/some/BUILD").exists())


class RealPipTest(FetchTest):
    """As repository rules run it: a program of its own, with pip and a folder as index."""

    def run_program(self, *more, python_options=()):
        done = subprocess.run(
            [sys.executable, "-I", "-B", *python_options, fetch.__file__, *self.arguments(*more)],
            capture_output=True,
            text=True,
            env=self.environment,
            check=False,
        )
        return done.returncode, done.stderr

    def test_python_package(self):
        self.assertEqual(self.run_program("--python-library", "hub"), (0, ""))
        init = self.output / "site-packages/some/__init__.py"
        self.assertEqual(init.read_text(encoding="utf-8"), "x = 1\n")
        text = (self.output / "BUILD.bazel").read_text(encoding="utf-8")
        self.assertIn('deps = ["@hub//:other"],', text)

    def test_version_that_the_index_does_not_have(self):
        self.wheel.unlink()
        code, message = self.run_program()
        self.assertEqual(code, 1)
        self.assertRegex(
            message,
            r"^warpyard: cannot fetch some 1\.0 with \S+ -m pip: Could not find a version that "
            r"satisfies the requirement some==1\.0",
        )

    def test_wrong_hash(self):
        self.write_lock("c" * 64)
        code, message = self.run_program()
        self.assertEqual(code, 1)
        self.assertRegex(
            message,
            r"^warpyard: cannot fetch some 1\.0 with \S+ -m pip: the file that the index served "
            r"does not have a pinned hash\. ",
        )

    def test_index_out_of_reach(self):
        del self.environment["PIP_NO_INDEX"], self.environment["PIP_FIND_LINKS"]
        # Nothing listens there.
        self.environment["PIP_INDEX_URL"] = "http://127.0.0.1:9/simple"
        self.environment["PIP_RETRIES"] = "1"
        self.environment["PIP_TIMEOUT"] = "2"
        code, message = self.run_program()
        self.assertEqual(code, 1)
        self.assertRegex(
            message,
            r"^warpyard: cannot fetch some 1\.0 with \S+ -m pip: the index cannot be reached: "
            r"[^.]*(refused|unreachable)",
        )

    def test_marker_that_excludes_this_machine(self):
        self.write_lock(marker=" ; sys_platform == 'plan9'")
        code, message = self.run_program()
        self.assertEqual(code, 1)
        self.assertEqual(
            message,
            "warpyard: cannot fetch some 1.0: it is only for machines with "
            "sys_platform == 'plan9'\n",
        )
        # pip installs nothing for it; a Python library of nothing is the same.
        self.assertEqual(self.run_program("--python-library", "hub"), (0, ""))
        self.assertEqual([path.name for path in self.output.iterdir()], ["BUILD.bazel"])

    def test_python_without_pip(self):
        # -S leaves out the folder in which pip is.
        code, message = self.run_program("--python-library", "hub", python_options=["-S"])
        if code == 0:
            self.skipTest("this Python's pip is among its own modules")
        self.assertEqual(code, 1)
        self.assertRegex(message, r"^warpyard: cannot fetch some 1\.0: \S+ has no pip\. ")

    def test_wrong_use(self):
        code, message = self.run_program("--no-such-option")
        self.assertEqual(code, 2)
        self.assertIn("--no-such-option", message)


if __name__ == "__main__":
    unittest.main()
