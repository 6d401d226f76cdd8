# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for unpack."""

import io
import os
import stat
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

import unpack


class UnpackTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.output = self.folder / "output"
        self.output.mkdir()

    def wheel(self, members, name="some-1.0-py3-none-any.whl"):
        """Writes a wheel; `members` maps names to contents, or to (content, mode)."""
        path = self.folder / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, content in members.items():
                content, mode = content if isinstance(content, tuple) else (content, 0o644)
                info = zipfile.ZipInfo(member)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = (stat.S_IFREG | mode) << 16
                archive.writestr(info, content)
        return path

    def sdist(self, members, name="some-1.0.tar.gz", links=()):
        """Writes a source distribution; `links` are (name, target, type)."""
        path = self.folder / name
        with tarfile.open(path, "w:gz") as archive:
            for member, content in members.items():
                content, mode = content if isinstance(content, tuple) else (content, 0o644)
                info = tarfile.TarInfo(member)
                info.size, info.mode = len(content), mode
                archive.addfile(info, io.BytesIO(content))
            for member, target, kind in links:
                info = tarfile.TarInfo(member)
                info.type, info.linkname = kind, target
                archive.addfile(info)
        return path

    def unpacked(self):
        return {
            path.relative_to(self.output).as_posix(): path.read_bytes()
            for path in self.output.rglob("*")
            if path.is_file()
        }

    def executables(self):
        return {
            path.relative_to(self.output).as_posix()
            for path in self.output.rglob("*")
            if path.is_file() and os.access(path, os.X_OK)
        }

    def test_wheel_is_spread_as_an_installer_does(self):
        archive = self.wheel(
            {
                "some/__init__.py": b"a",
                "some-1.0.dist-info/METADATA": b"b",
                "some-1.0.data/scripts/some": b"c",
                "some-1.0.data/purelib/pure.py": b"d",
                "some-1.0.data/platlib/plat/fast.so": b"e",
                "some-1.0.data/data/share/man/some.1": b"f",
                "some-1.0.data/headers/some.h": b"g",
            }
        )
        unpack.unpack(archive, self.output)
        self.assertEqual(
            self.unpacked(),
            {
                "site-packages/some/__init__.py": b"a",
                "site-packages/some-1.0.dist-info/METADATA": b"b",
                "bin/some": b"c",
                "site-packages/pure.py": b"d",
                "site-packages/plat/fast.so": b"e",
                "data/share/man/some.1": b"f",
                "headers/some.h": b"g",
            },
        )

    def test_prefix_of_a_wheel_becomes_the_root(self):
        archive = self.wheel({"some/include/a/a.h": b"a", "some/includes/b.h": b"b", "c.py": b"c"})
        unpack.unpack(archive, self.output, "some/include")
        self.assertEqual(self.unpacked(), {"a/a.h": b"a"})

    def test_source_distribution_loses_its_first_folder_and_the_prefix(self):
        archive = self.sdist(
            {"some-1.0/PKG-INFO": b"a", "some-1.0/src/x/x.c": b"b", "pax_global": b"c"}
        )
        unpack.unpack(archive, self.output)
        self.assertEqual(self.unpacked(), {"PKG-INFO": b"a", "src/x/x.c": b"b"})

    def test_prefix_of_a_source_distribution(self):
        archive = self.sdist({"some-1.0/PKG-INFO": b"a", "some-1.0/src/x/x.c": b"b"})
        unpack.unpack(archive, self.output, "src/x")
        self.assertEqual(self.unpacked(), {"x.c": b"b"})

    def test_prefix_that_is_not_there(self):
        for archive in (self.wheel({"some/a.py": b""}), self.sdist({"some-1.0/a.py": b""})):
            with self.assertRaisesRegex(unpack.UnpackError, r"some-1\.0.* no file under lib/x/"):
                unpack.unpack(archive, self.output, "lib/x")

    @unittest.skipIf(os.name == "nt", "Windows has no executable bits")
    def test_executable_bits(self):
        unpack.unpack(
            self.wheel(
                {
                    "some/tool": (b"", 0o755),
                    "some/data": (b"", 0o644),
                    "some-1.0.data/scripts/script": (b"", 0o644),
                    "some/bin/ptxas": (b"", 0o644),
                }
            ),
            self.output,
        )
        unpack.unpack(
            self.sdist({"s-1/configure": (b"", 0o755), "s-1/README": (b"", 0o644)}), self.output
        )
        self.assertEqual(
            self.executables(),
            {"site-packages/some/tool", "bin/script", "site-packages/some/bin/ptxas", "configure"},
        )

    def test_several_archives_make_one_tree(self):
        unpack.unpack(self.wheel({"n/a.h": b"a"}, "a-1-py3-none-any.whl"), self.output)
        unpack.unpack(self.wheel({"n/b.h": b"b"}, "b-1-py3-none-any.whl"), self.output)
        self.assertEqual(
            self.unpacked(), {"site-packages/n/a.h": b"a", "site-packages/n/b.h": b"b"}
        )

    def test_refuses_members_that_leave_the_folder(self):
        for name in (
            "../evil",
            "some/../../evil",
            "some-1.0/..",
            "/etc/evil",
            "..\\evil",
            "some-1.0\\..\\..\\evil",
            "C:\\evil",
            "C:evil",
            "\\\\server\\share\\evil",
        ):
            for prefix in ("", "some"):
                with self.subTest(name=name, prefix=prefix):
                    for archive in (self.wheel({name: b"x"}), self.sdist({name: b"x"})):
                        with self.assertRaisesRegex(unpack.UnpackError, "it leaves the folder"):
                            unpack.unpack(archive, self.output, prefix)
        self.assertEqual(self.unpacked(), {})
        self.assertEqual(sorted(p.name for p in self.folder.iterdir() if p.is_dir()), ["output"])

    def test_links_are_left_out(self):
        # A link, and then a file through it, is the other way out of the folder.
        outside = self.folder / "outside"
        outside.mkdir()
        archive = self.sdist(
            {"s-1/a": b"a"},
            links=[
                ("s-1/link", str(outside), tarfile.SYMTYPE),
                ("s-1/hard", "s-1/a", tarfile.LNKTYPE),
                ("s-1/pipe", "", tarfile.FIFOTYPE),
            ],
        )
        unpack.unpack(archive, self.output)
        self.assertEqual([p.name for p in self.output.iterdir()], ["a"])
        self.assertEqual(list(outside.iterdir()), [])

    def test_every_damage_is_an_error_that_names_the_archive(self):
        for archive in (
            self.wheel({"some/a.py": os.urandom(4000), "some/b.py": b"b" * 4000}),
            self.sdist({"some-1.0/a.py": os.urandom(4000), "some-1.0/b.py": b"b" * 4000}),
        ):
            good = archive.read_bytes()
            for length in (0, 1, 20, len(good) // 2, len(good) - 30):
                with self.subTest(archive=archive.name, length=length):
                    archive.write_bytes(good[:length])
                    with self.assertRaisesRegex(unpack.UnpackError, archive.name + " "):
                        unpack.unpack(archive, self.output)
            archive.write_bytes(b"<html>Sign in to the network</html>" * 30)
            with self.assertRaisesRegex(unpack.UnpackError, archive.name + " is damaged"):
                unpack.unpack(archive, self.output)

    def test_no_flipped_byte_escapes_as_another_exception(self):
        refused = 0
        for archive in (
            self.wheel({"some/a.py": b"import a\n" * 50}),
            self.sdist({"some-1.0/a.py": b"import a\n" * 50}),
        ):
            good = archive.read_bytes()
            for position in range(len(good)):
                bad = bytearray(good)
                bad[position] ^= 0xFF
                archive.write_bytes(bad)
                try:
                    unpack.unpack(archive, self.output)
                except unpack.UnpackError:
                    refused += 1
        self.assertGreater(refused, 100)

    def test_empty_and_unnamed_members(self):
        archive = self.wheel({"./": b"", "some/": b""})
        with self.assertRaisesRegex(unpack.UnpackError, "holds no file"):
            unpack.unpack(archive, self.output)
        archive = self.sdist({"some-1.0/lib": b"a file, not a folder"})
        with self.assertRaisesRegex(unpack.UnpackError, "holds no file under lib/"):
            unpack.unpack(archive, self.output, "lib")

    def test_other_kinds_of_archive(self):
        path = self.folder / "some-1.0.zip"
        path.write_bytes(self.wheel({"some-1.0/a.py": b""}).read_bytes())
        with self.assertRaisesRegex(unpack.UnpackError, r"some-1\.0\.zip: expected a wheel"):
            unpack.unpack(path, self.output)


if __name__ == "__main__":
    unittest.main()
