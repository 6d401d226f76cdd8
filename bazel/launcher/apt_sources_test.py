# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for apt_sources."""

import tempfile
import unittest
from pathlib import Path

from bazel.launcher import apt_sources
from bazel.launcher.apt_sources import Source


class ParseListTest(unittest.TestCase):
    def test_plain_entry(self):
        self.assertEqual(
            apt_sources.parse_list("deb http://mirror/debian bookworm main contrib\n"),
            [Source(("http://mirror/debian",), ("bookworm",), ("main", "contrib"))],
        )

    def test_options_give_the_key(self):
        [source] = apt_sources.parse_list(
            "deb [ arch=amd64,arm64 signed-by=/keys/a.gpg ] https://m/debian trixie main"
        )
        self.assertEqual(source.signed_by, "/keys/a.gpg")
        self.assertEqual(source.uris, ("https://m/debian",))

    def test_flat_archive_has_no_components(self):
        self.assertEqual(
            apt_sources.parse_list("deb file:/srv/packages ./"),
            [Source(("file:/srv/packages",), ("./",), ())],
        )

    def test_sources_comments_and_damaged_lines_are_left_out(self):
        text = (
            "# deb http://mirror/debian sid main\n"
            "deb-src http://mirror/debian sid main\n"
            "deb http://mirror/debian\n"
            "rpm http://mirror/fedora 40\n"
            "\n"
            "deb http://mirror/debian sid main # the last one\n"
        )
        self.assertEqual(
            apt_sources.parse_list(text), [Source(("http://mirror/debian",), ("sid",), ("main",))]
        )


class ParseSourcesTest(unittest.TestCase):
    def test_stanzas(self):
        text = (
            "Types: deb deb-src\n"
            "# a comment inside\n"
            "URIs: http://one/debian\n"
            "  http://two/debian\n"
            "Suites: bookworm bookworm-updates\n"
            "Components: main\n"
            "signed-by: /usr/share/keyrings/debian-archive-keyring.gpg\n"
            "\n\n"
            "Types: deb\n"
            "URIs: http://security/debian-security\n"
            "Suites: bookworm-security\n"
            "Components: main\n"
        )
        self.assertEqual(
            apt_sources.parse_sources(text),
            [
                Source(
                    ("http://one/debian", "http://two/debian"),
                    ("bookworm", "bookworm-updates"),
                    ("main",),
                    "/usr/share/keyrings/debian-archive-keyring.gpg",
                ),
                Source(("http://security/debian-security",), ("bookworm-security",), ("main",)),
            ],
        )

    def test_disabled_and_source_only_are_left_out(self):
        stanza = "Types: {}\nEnabled: {}\nURIs: http://m\nSuites: sid\nComponents: main\n\n"
        text = stanza.format("deb", "no") + stanza.format("deb-src", "yes")
        self.assertEqual(apt_sources.parse_sources(text), [])

    def test_key_block_keeps_its_lines(self):
        lines = (
            "-----BEGIN PGP PUBLIC KEY BLOCK-----",
            ".",
            "mQ",
            "-----END PGP PUBLIC KEY BLOCK-----",
        )
        block = "".join(f"\n {line}" for line in lines)
        text = f"Types: deb\nURIs: http://m\nSuites: sid\nComponents: main\nSigned-By:{block}\n"
        [source] = apt_sources.parse_sources(text)
        self.assertEqual(source.signed_by, block.strip())

    def test_continuation_without_a_field_is_ignored(self):
        self.assertEqual(apt_sources.parse_sources("  stray\n\n"), [])


class ReadTest(unittest.TestCase):
    def test_reads_the_list_first_then_parts_by_name(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            parts = root / "sources.list.d"
            parts.mkdir()
            (root / "sources.list").write_text("deb http://first sid main\n")
            (parts / "b.list").write_text("deb http://third sid main\n")
            (parts / "a.sources").write_text(
                "Types: deb\nURIs: http://second\nSuites: sid\nComponents: main\n"
            )
            (parts / "a.list.save").write_text("deb http://ignored sid main\n")
            (parts / "a b.list").write_text("deb http://ignored sid main\n")
            sources = apt_sources.read(root / "sources.list", parts)
        self.assertEqual(
            [source.uris[0] for source in sources],
            ["http://first", "http://second", "http://third"],
        )

    def test_nothing_there(self):
        self.assertEqual(apt_sources.read(Path("/nowhere/list"), Path("/nowhere/parts")), [])


if __name__ == "__main__":
    unittest.main()
