# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for lock_file."""

import tempfile
import unittest
from pathlib import Path

import lock_file

A, B = "a" * 64, "b" * 64


def parse(text):
    return lock_file.parse(text, "lock.txt")


class ParseTest(unittest.TestCase):
    def test_pins_markers_and_hashes(self):
        text = f"""\
# A comment.
numpy==2.2.6 ; python_full_version < '3.11' \\
    --hash=sha256:{A} \\
    --hash=sha256:{B}
    # via -r requirements.in
numpy==2.5.5 ; python_full_version >= '3.11' --hash=sha256:{B}

Typing_Extensions==4.15.0 --hash=sha256:{A}  # via a, b
"""
        self.assertEqual(
            parse(text),
            [
                lock_file.Requirement(
                    "numpy", "2.2.6", "python_full_version < '3.11'", frozenset({A, B})
                ),
                lock_file.Requirement(
                    "numpy", "2.5.5", "python_full_version >= '3.11'", frozenset({B})
                ),
                lock_file.Requirement("typing-extensions", "4.15.0", "", frozenset({A})),
            ],
        )

    def test_extras_are_left_to_the_one_who_asks(self):
        (found,) = parse(f"requests[socks]==2.0 --hash=sha256:{A}\n")
        self.assertEqual((found.name, found.version), ("requests", "2.0"))

    def test_no_lines(self):
        self.assertEqual(parse("# nothing\n\n"), [])

    def test_refuses_what_is_not_one_version(self):
        for line in (
            "numpy",
            "numpy>=2.0",
            "numpy===2.0",
            "numpy==2.*",
            "numpy==2.0,!=2.0.1",
            "numpy @ https://example.com/numpy.whl",
            "--index-url https://example.com/simple",
            "-e .",
        ):
            with self.subTest(line):
                with self.assertRaisesRegex(
                    lock_file.LockError, "lock.txt: not a pinned requirement"
                ):
                    parse(f"{line} --hash=sha256:{A}\n")

    def test_refuses_a_pin_without_hash(self):
        with self.assertRaisesRegex(lock_file.LockError, r"lock\.txt: rich==15\.0\.0 has no hash"):
            parse("rich==15.0.0\n")

    def test_refuses_hashes_of_another_kind(self):
        for digest in ("md5:" + A, "sha512:" + A, "sha256:" + A[1:], "sha256:" + "g" * 64, A):
            with self.subTest(digest):
                with self.assertRaisesRegex(lock_file.LockError, "rich==15.0.0: found the hash"):
                    parse(f"rich==15.0.0 --hash=sha256:{B} --hash={digest}\n")


class RequirementTest(unittest.TestCase):
    def test_text_is_read_back(self):
        for marker in ("", "sys_platform == 'win32'"):
            pin = lock_file.Requirement("colorama", "0.4.6", marker, frozenset({B, A}))
            self.assertEqual(parse(pin.text), [pin])

    def test_text_does_not_depend_on_the_order_of_a_set(self):
        pin = lock_file.Requirement("rich", "1", "", frozenset({B, A}))
        self.assertEqual(pin.text, f"rich==1 --hash=sha256:{A} --hash=sha256:{B}")


class NameTest(unittest.TestCase):
    def test_normalise(self):
        for name in ("absl_py", "Absl.Py", "absl--py", "absl-py"):
            self.assertEqual(lock_file.normalise(name), "absl-py")

    def test_find_gives_every_pin_of_any_spelling(self):
        pins = ("a-b==1 ; x < '3'", "a-b==2", "c==1")
        lock = parse("".join(f"{pin} --hash=sha256:{A}\n" for pin in pins))
        self.assertEqual([pin.version for pin in lock_file.find(lock, "A_B")], ["1", "2"])
        self.assertEqual(lock_file.find(lock, "d"), [])


class ReadTest(unittest.TestCase):
    def test_names_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "requirements_lock.txt"
            with self.assertRaises(FileNotFoundError):
                lock_file.read(path)
            path.write_bytes(b"rich==1\xff\n")
            with self.assertRaisesRegex(lock_file.LockError, "requirements_lock.txt: not UTF-8"):
                lock_file.read(path)
            path.write_bytes(f"rich==1 \\\r\n    --hash=sha256:{A}\r\n".encode())
            self.assertEqual([pin.hashes for pin in lock_file.read(path)], [frozenset({A})])


if __name__ == "__main__":
    unittest.main()
