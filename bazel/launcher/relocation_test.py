# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for relocation."""

import os
import shutil
import tempfile
import unittest
import zipfile
from pathlib import Path

from bazel.launcher import elf, relocation
from bazel.launcher.errors import LauncherError
from bazel.launcher.host import Host

_HOST = Host("bookworm", "amd64", "x86_64-linux-gnu", "ld-linux-x86-64.so.2")


class PrefixTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.prefix = relocation.Prefix(at=self.root / "now", final=self.root / "later")
        self.prefix.at.mkdir()

    def write(self, name, text=""):
        path = self.prefix.at / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def jar(self, name, class_path=None):
        path = self.write(name)
        with zipfile.ZipFile(path, "w") as archive:
            if class_path is not None:
                line = f"Class-Path: {class_path}"
                # As the format wants it: a line ends after 72 bytes and goes on after a blank.
                parts = [line[:72]] + [" " + line[at : at + 71] for at in range(72, len(line), 71)]
                archive.writestr("META-INF/MANIFEST.MF", "\r\n".join(["A: b", *parts, ""]))
        return path


class JavaHomeTest(PrefixTestCase):
    def test_the_one_that_is_no_link(self):
        java = self.write("usr/lib/jvm/java-25-openjdk-arm64/bin/java")
        (self.prefix.at / "usr/lib/jvm/default-java").symlink_to("java-25-openjdk-arm64")
        self.assertEqual(self.prefix.java_home(), java.parent.parent)

    def test_none_or_two_are_refused(self):
        with self.assertRaisesRegex(LauncherError, "found 0"):
            self.prefix.java_home()
        self.write("usr/lib/jvm/java-25/bin/java")
        self.write("usr/lib/jvm/java-26/bin/java")
        with self.assertRaisesRegex(LauncherError, "found 2"):
            self.prefix.java_home()


class RerootLinksTest(PrefixTestCase):
    def test_absolute_links_resolve_below_the_folder_wherever_it_is(self):
        self.write("etc/java/security", "found")
        (self.prefix.at / "usr/lib/jvm").mkdir(parents=True)
        (self.prefix.at / "usr/lib/jvm/security").symlink_to("/etc/java/security")
        (self.prefix.at / "usr/lib/jvm/folder").symlink_to("/etc/java")
        (self.prefix.at / "usr/lib/relative").symlink_to("jvm/security")
        relocation.reroot_links(self.prefix)
        self.prefix.at.rename(self.prefix.final)
        final = self.prefix.final
        for name in ("usr/lib/jvm/security", "usr/lib/jvm/folder/security", "usr/lib/relative"):
            self.assertEqual((final / name).read_text(), "found")
        self.assertEqual(os.readlink(final / "usr/lib/relative"), "jvm/security")


class ClassPathTest(PrefixTestCase):
    def test_what_manifests_ask_for_is_added_once(self):
        long = "usr/share/java/" + "a-very-long-name-" * 6 + ".jar"
        one = self.jar("usr/share/java/one.jar", f"two.jar /{long} missing.jar one.jar")
        two = self.jar("usr/share/java/two.jar", "one.jar")
        three = self.jar(long)
        self.assertEqual(
            relocation.class_path(
                self.prefix, ["/usr/share/java/one.jar", "/usr/share/java/gone.jar"]
            ),
            [one, two, three],
        )

    def test_damaged_jars_ask_for_nothing(self):
        bad = self.write("usr/share/java/bad.jar", "not a jar")
        self.assertEqual(relocation.class_path(self.prefix, ["/usr/share/java/bad.jar"]), [bad])

    def test_the_list_names_final_places_and_ends_with_the_label(self):
        self.jar("usr/share/java/one.jar")
        self.write(
            "usr/share/bazel/bazel_classpath_debian_depends.txt",
            "/usr/share/java/one.jar\n/usr/share/java/gone.jar\n",
        )
        own = self.prefix.at / "own"
        own.mkdir()
        label = relocation.write_build_label(own, "7.7.1")
        relocation.relocate_class_path(self.prefix, label)
        text = (self.prefix.at / "usr/share/bazel/bazel_classpath_debian_depends.txt").read_text()
        final = self.prefix.final
        self.assertEqual(text, f"{final}/usr/share/java/one.jar\n{final}/own/build-data.jar\n")
        with zipfile.ZipFile(label) as archive:
            self.assertEqual(archive.read("build-data.properties"), b"build.label=7.7.1\n")

    def test_a_package_without_the_list_is_refused(self):
        with self.assertRaisesRegex(LauncherError, "bazel_classpath_debian_depends.txt"):
            relocation.relocate_class_path(self.prefix, self.prefix.at / "x.jar")


class RelocateProgramsTest(PrefixTestCase):
    def test_programs_change_and_scripts_do_not(self):
        program = Path(shutil.which("cat")).resolve()
        if elf.interpreter(program.read_bytes()) is None:
            self.skipTest("this machine's programs are not ELF")
        java = "usr/lib/jvm/java-25"
        names = [
            "usr/bin/bazel",
            "usr/libexec/x86_64-linux-gnu/bazel/zipper",
            f"{java}/bin/java",
            f"{java}/lib/jspawnhelper",
        ]
        for name in names:
            self.write(name)
            shutil.copy(program, self.prefix.at / name)
        script = self.write(f"{java}/bin/script", "#!/bin/sh\n")
        relocation.relocate_programs(self.prefix, _HOST)
        loader = f"{self.prefix.final}/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"
        for name in names:
            data = (self.prefix.at / name).read_bytes()
            self.assertEqual(elf.interpreter(data), loader, name)
            searches_java = f"{self.prefix.final}/{java}/lib/server".encode() in data
            self.assertEqual(searches_java, name.startswith(java), name)
        self.assertEqual(script.read_text(), "#!/bin/sh\n")

    def test_a_damaged_program_is_named(self):
        self.write("usr/lib/jvm/java-25/bin/java")
        program = Path(shutil.which("cat")).read_bytes()
        if elf.interpreter(program) is None:
            self.skipTest("this machine's programs are not ELF")
        (self.prefix.at / "usr/bin").mkdir(parents=True)
        # Its headers say more than is there.
        (self.prefix.at / "usr/bin/bazel").write_bytes(program[: len(program) // 4])
        with self.assertRaisesRegex(LauncherError, "usr/bin/bazel: ELF"):
            relocation.relocate_programs(self.prefix, _HOST)


class TrustStoreTest(PrefixTestCase):
    def setUp(self):
        super().setUp()
        self.write("usr/lib/jvm/java-25/bin/java")
        self.store = self.prefix.at / "usr/lib/jvm/java-25/lib/security/cacerts"
        self.store.parent.mkdir(parents=True)
        self.store.symlink_to("/etc/ssl/certs/java/cacerts")

    def pem(self, text):
        return f"-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n"

    def test_the_machine_s_first_bundle_is_taken(self):
        bundle = self.root / "bundle.pem"
        bundle.write_text(self.pem("bWFjaGluZQ=="))
        self.write("usr/share/ca-certificates/mozilla/a.crt", self.pem("cGFja2FnZQ=="))
        relocation.write_trust_store(self.prefix, [self.root / "none.pem", bundle])
        self.assertFalse(self.store.is_symlink())
        self.assertIn(b"machine", self.store.read_bytes())
        self.assertNotIn(b"package", self.store.read_bytes())

    def test_without_a_bundle_the_packages_own(self):
        self.write("usr/share/ca-certificates/mozilla/a.crt", self.pem("cGFja2FnZQ=="))
        relocation.write_trust_store(self.prefix, [self.root / "none.pem"])
        self.assertIn(b"package", self.store.read_bytes())


if __name__ == "__main__":
    unittest.main()
