# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for host."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

from bazel.launcher import host
from bazel.launcher.errors import Unavailable


class DetectTest(unittest.TestCase):
    def detect(self, os_release, system="Linux", machine="x86_64", tools=True):
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch("platform.system", return_value=system),
            mock.patch("platform.machine", return_value=machine),
            mock.patch("shutil.which", side_effect=lambda name: f"/bin/{name}" if tools else None),
        ):
            file = Path(folder) / "os-release"
            if os_release:
                file.write_text(os_release)
            return host.detect(file)

    def test_debian(self):
        self.assertEqual(
            self.detect(
                'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\nVERSION_CODENAME=bookworm\n'
            ),
            host.Host("bookworm", "amd64", "x86_64-linux-gnu", "ld-linux-x86-64.so.2"),
        )

    def test_ubuntu_on_arm(self):
        found = self.detect(
            "ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\n", machine="aarch64"
        )
        self.assertEqual(
            found, host.Host("noble", "arm64", "aarch64-linux-gnu", "ld-linux-aarch64.so.1")
        )

    def test_a_relative_of_ubuntu_counts_by_ubuntu_s_name(self):
        found = self.detect(
            'ID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_CODENAME=wilma\nUBUNTU_CODENAME=noble\n'
        )
        self.assertEqual(found.codename, "noble")

    def test_other_systems_are_named(self):
        for release, system, machine, words in (
            ('PRETTY_NAME="Fedora Linux 42"\nID=fedora\n', "Linux", "x86_64", "Fedora Linux 42 on"),
            ("ID=debian\n", "Linux", "riscv64", "Linux on riscv64"),
            ("", "Darwin", "arm64", "Darwin on arm64"),
        ):
            with self.subTest(words), self.assertRaisesRegex(Unavailable, words):
                self.detect(release, system, machine)

    def test_missing_apt_is_named(self):
        with self.assertRaisesRegex(Unavailable, "not found on PATH: apt-get, apt-cache"):
            self.detect("ID=debian\n", tools=False)


class ParseOsReleaseTest(unittest.TestCase):
    def test_quotes_comments_and_noise(self):
        self.assertEqual(
            host.parse_os_release("ID=debian\nA=\"x y\"\nB='z'\n#C=1\nnoise\n\n"),
            {"ID": "debian", "A": "x y", "B": "z"},
        )


if __name__ == "__main__":
    unittest.main()
