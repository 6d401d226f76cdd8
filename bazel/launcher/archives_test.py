# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for archives."""

import tempfile
import unittest
from pathlib import Path

from bazel.launcher import archives
from bazel.launcher.apt_sources import Source

_DEBIAN_KEY = "/usr/share/keyrings/debian-archive-keyring.gpg"
_UBUNTU_KEY = "/usr/share/keyrings/ubuntu-archive-keyring.gpg"


class FindTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.keyrings = Path(folder.name)

    def find(self, *sources, codename="bookworm"):
        return archives.find(list(sources), codename, self.keyrings)

    def test_debian_gives_the_suites_that_have_the_versions(self):
        source = Source(
            ("http://m/debian/",), ("bookworm", "bookworm-updates"), ("main",), _DEBIAN_KEY
        )
        self.assertEqual(
            self.find(source),
            [
                archives.Archive(
                    "Debian", "http://m/debian", "forky", "bookworm", ("main",), _DEBIAN_KEY
                )
            ],
        )

    def test_the_same_mirror_is_tried_once(self):
        one = Source(("http://m/debian",), ("bookworm",), ("main",), _DEBIAN_KEY)
        two = Source(("http://m/debian/",), ("bookworm-updates",), ("main", "contrib"), _DEBIAN_KEY)
        self.assertEqual(len(self.find(one, two)), 1)

    def test_third_parties_and_security_are_left_out(self):
        self.assertEqual(
            self.find(
                Source(
                    ("http://m/debian-security",), ("bookworm-security",), ("main",), _DEBIAN_KEY
                ),
                Source(("https://vendor/apt",), ("cloud-sdk-bookworm",), ("main",)),
                Source(("https://vendor/debian",), ("bookworm",), ("main",), "/keys/vendor.gpg"),
                Source(("https://vendor/debian",), ("bookworm",), ("stable",)),
                Source(("file:/srv",), ("./",), ()),
                Source(("cdrom:[Debian]/",), ("bookworm",), ("main",), _DEBIAN_KEY),
            ),
            [],
        )

    def test_the_archive_itself_comes_before_what_may_be_a_third_party(self):
        found = self.find(
            Source(("https://vendor/repository",), ("bookworm",), ("main",)),
            Source(("http://plain/debian",), ("bookworm",), ("main",)),
            Source(("http://keyed/mirror",), ("bookworm",), ("main",), _DEBIAN_KEY),
        )
        self.assertEqual(
            [archive.uri for archive in found],
            ["http://keyed/mirror", "http://plain/debian", "https://vendor/repository"],
        )

    def test_an_entry_without_a_key_is_held_to_the_distribution_s(self):
        (self.keyrings / "debian-archive-keyring.gpg").write_bytes(b"")
        (self.keyrings / "debian-archive-keyring.pgp").write_bytes(b"")
        [archive] = self.find(Source(("http://m/debian",), ("trixie",), ("main",)))
        self.assertEqual(archive.signed_by, str(self.keyrings / "debian-archive-keyring.pgp"))

    def test_an_entry_without_a_key_and_no_keyring_has_none(self):
        [archive] = self.find(Source(("http://m/debian",), ("trixie",), ("main",)))
        self.assertEqual(archive.signed_by, "")

    def test_ubuntu_tries_its_own_series_then_the_one_in_development(self):
        source = Source(
            ("http://m/ubuntu",), ("noble", "noble-updates"), ("main", "universe"), _UBUNTU_KEY
        )
        found = self.find(source, codename="noble")
        self.assertEqual(
            [(a.distribution, a.bazel_suite, a.googletest_suite, a.components) for a in found],
            [
                ("Ubuntu", "noble", "noble", ("main", "universe")),
                ("Ubuntu", "devel", "devel", ("main", "universe")),
            ],
        )

    def test_ubuntu_with_a_debian_mirror_takes_debian_first(self):
        ubuntu = Source(("http://m/ubuntu",), ("noble",), ("main",), _UBUNTU_KEY)
        debian = Source(("http://m/debian",), ("trixie",), ("main",), _DEBIAN_KEY)
        found = self.find(ubuntu, debian, codename="noble")
        self.assertEqual([a.distribution for a in found], ["Debian", "Ubuntu", "Ubuntu"])

    def test_without_a_codename_no_ubuntu_archive_is_recognised(self):
        source = Source(("http://m/ubuntu",), ("noble",), ("main",), _UBUNTU_KEY)
        self.assertEqual(self.find(source, codename=""), [])


class RedactTest(unittest.TestCase):
    def test_takes_credentials_out_of_addresses(self):
        self.assertEqual(
            archives.redact("E: http://user:secret@m/debian and https://t@n/x"),
            "E: http://m/debian and https://n/x",
        )

    def test_leaves_other_text(self):
        self.assertEqual(archives.redact("mail a@b, http://m/p@q"), "mail a@b, http://m/p@q")

    def test_an_archive_prints_without_credentials(self):
        archive = archives.Archive("Debian", "http://u:p@m/debian", "forky", "bookworm", (), "")
        self.assertEqual(str(archive), "Debian forky (http://m/debian)")


if __name__ == "__main__":
    unittest.main()
