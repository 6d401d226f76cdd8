# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for apt. Where the machine has apt, it is run on archives in local folders."""

import hashlib
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from bazel.launcher import apt, processes
from bazel.launcher.archives import Archive
from bazel.launcher.errors import Unavailable

_HAS_APT = all(map(shutil.which, ("apt-get", "apt-cache", "apt-config", "dpkg-deb")))


def _archive(uri="http://user:secret@mirror/debian", signed_by="/keys/debian.gpg"):
    return Archive("Debian", uri, "forky", "bookworm", ("main",), signed_by)


class ConfigurationTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve() / "private"

    def test_sources_name_both_suites_and_the_key(self):
        self.assertEqual(
            apt.deb822(_archive(), "arm64"),
            "Types: deb\n"
            "URIs: http://user:secret@mirror/debian\n"
            "Suites: forky bookworm\n"
            "Components: main\n"
            "Architectures: arm64\n"
            "Targets: Packages\n"
            "Signed-By: /keys/debian.gpg\n",
        )

    def test_an_archive_without_a_known_key_is_refused(self):
        with self.assertRaisesRegex(Unavailable, "install debian-archive-keyring$"):
            apt.deb822(_archive(signed_by=""), "amd64")
        ubuntu = Archive("Ubuntu", "http://m/ubuntu", "devel", "devel", ("main",), "")
        with self.assertRaisesRegex(Unavailable, "install ubuntu-keyring$"):
            apt.deb822(ubuntu, "amd64")

    def test_a_folder_with_a_quote_is_refused(self):
        with self.assertRaisesRegex(Unavailable, "quote"):
            apt.Apt(self.folder / 'a"b', _archive(), "amd64")

    def test_complaints_are_apt_s_errors_without_credentials(self):
        failed = processes.Finished(
            100,
            "Err:1 http://x\n",
            "W: old\nE: http://user:secret@m/debian is not signed.\nE: Two\n",
        )
        with mock.patch.object(processes, "run", return_value=failed):
            with self.assertRaises(Unavailable) as caught:
                apt.Apt(self.folder, _archive(), "amd64").update()
        self.assertEqual(
            str(caught.exception), "apt-get update failed: http://m/debian is not signed.; Two"
        )

    def test_closure_reads_names_versions_and_sizes(self):
        printed = (
            "Reading package lists...\n"
            "'http://m/pool/zlib1g_1%3a1.3-3_amd64.deb' zlib1g_1%3a1.3-3_amd64.deb 92 SHA256:0\n"
            "'http://m/pool/libc6_2.43-7_amd64.deb' libc6_2.43-7_amd64.deb 1866392 SHA256:1\n"
        )
        with mock.patch.object(
            processes, "run", return_value=processes.Finished(0, printed, "")
        ) as run:
            sizes = apt.Apt(self.folder, _archive(), "amd64").closure("one", "two")
        self.assertEqual(sizes, {"zlib1g=1:1.3-3": 92, "libc6=2.43-7": 1866392})
        self.assertEqual(run.call_args.args[0][-2:], ["one", "two"])


@unittest.skipUnless(_HAS_APT, "no apt on this machine")
class RealAptTest(unittest.TestCase):
    """Runs the machine's apt on an archive made here."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        # A machine configuration that would accept anything: the launcher must not.
        machine = self.folder / "machine.conf"
        machine.write_text(
            'Acquire::AllowInsecureRepositories "true";\n'
            'APT::Get::AllowUnauthenticated "true";\n'
            'APT::Default-Release "stable";\n'
            f'APT::Update::Post-Invoke-Success {{ "touch {self.folder}/hook"; }};\n'
            f'Dir::Etc::sourcelist "{self.folder}/machine.list";\n'
            f'Dir::Etc::sourceparts "{self.folder}/machine.list.d";\n'
        )
        patch = mock.patch.dict(os.environ, {"APT_CONFIG": str(machine)})
        patch.start()
        self.addCleanup(patch.stop)
        self.key = self.folder / "key.gpg"
        self.key.write_bytes(b"")

    def make_archive(self):
        """Makes an archive with one package in each suite, and returns its address."""
        root = self.folder / "archive"
        tree = self.folder / "tree"
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "usr").mkdir()
        (tree / "usr/file").write_text("content")
        for suite, version in (("forky", "7.7.1+ds-8"), ("bookworm", "4.2.3+ds-9")):
            (tree / "DEBIAN/control").write_text(
                f"Package: bazel-bootstrap\nVersion: {version}\nArchitecture: all\n"
                "Maintainer: none\nDescription: test\n"
            )
            name = f"pool/bazel-bootstrap_{version}_all.deb"
            (root / "pool").mkdir(parents=True, exist_ok=True)
            subprocess.run(
                ["dpkg-deb", "--build", "--root-owner-group", tree, root / name],
                check=True,
                capture_output=True,
            )
            data = (root / name).read_bytes()
            control = (tree / "DEBIAN/control").read_text()
            packages = (
                f"{control}Filename: {name}\nSize: {len(data)}\n"
                f"SHA256: {hashlib.sha256(data).hexdigest()}\n\n"
            )
            index = root / f"dists/{suite}/main/binary-amd64/Packages"
            index.parent.mkdir(parents=True)
            index.write_text(packages)
            digest = hashlib.sha256(packages.encode()).hexdigest()
            release = (
                f"Origin: Debian\nSuite: {suite}\nCodename: {suite}\nArchitectures: amd64\n"
                "Components: main\nDate: Sat, 01 Jan 2000 00:00:00 UTC\n"
                f"SHA256:\n {digest} {len(packages)} main/binary-amd64/Packages\n"
            )
            (root / f"dists/{suite}/Release").write_text(release)
        return f"file:{root}"

    def client(self, uri, signed_by=None):
        return apt.Apt(self.folder / "private", _archive(uri, signed_by or str(self.key)), "amd64")

    def test_an_unsigned_archive_is_refused(self):
        with self.assertRaisesRegex(Unavailable, "is not signed"):
            self.client(self.make_archive()).update()

    def test_a_suite_that_is_not_there_is_named(self):
        (self.folder / "archive").mkdir()
        with self.assertRaisesRegex(Unavailable, "forky"):
            self.client(f"file:{self.folder}/archive").update()

    @unittest.skipUnless(shutil.which("gpg"), "no gpg to sign with")
    def test_a_signed_archive_gives_its_packages_and_no_other_key_will_do(self):
        uri = self.make_archive()
        home = self.folder / "gnupg"
        home.mkdir(mode=0o700)

        def gpg(*arguments):
            command = ["gpg", "--homedir", home, "--batch", "--yes", "--pinentry-mode", "loopback"]
            subprocess.run(
                [*command, "--passphrase", "", *arguments], check=True, capture_output=True
            )

        for name in ("right", "other"):
            gpg("--quick-generate-key", f"{name}@invalid", "ed25519", "sign")
            gpg("--output", self.folder / f"{name}.gpg", "--export", f"{name}@invalid")
        for suite in ("forky", "bookworm"):
            dist = self.folder / "archive/dists" / suite
            gpg(
                "-u",
                "right@invalid",
                "--output",
                dist / "InRelease",
                "--clearsign",
                dist / "Release",
            )
        subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], check=False)

        with self.assertRaisesRegex(Unavailable, "is not signed|NO_PUBKEY"):
            self.client(uri, str(self.folder / "other.gpg")).update()

        client = self.client(uri, str(self.folder / "right.gpg"))
        client.update()
        self.assertEqual(client.version("bazel-bootstrap"), "7.7.1+ds-8")
        self.assertEqual(client.version("no-such-package"), "")
        sizes = client.closure("bazel-bootstrap")
        self.assertEqual(list(sizes), ["bazel-bootstrap=7.7.1+ds-8"])
        self.assertFalse((self.folder / "hook").exists(), "the machine's hooks were run")

        into = self.folder / "into"
        into.mkdir()
        client.download([*sizes, "bazel-bootstrap/bookworm"], into, lambda: True)
        self.assertEqual(
            sorted(file.name for file in into.iterdir()),
            ["bazel-bootstrap_4.2.3+ds-9_all.deb", "bazel-bootstrap_7.7.1+ds-8_all.deb"],
        )

        # A package that is not the one that was signed for.
        for file in (self.folder / "archive/pool").iterdir():
            file.write_bytes(file.read_bytes()[:-1] + b"x")
        shutil.rmtree(into)
        into.mkdir()
        with self.assertRaisesRegex(Unavailable, "apt-get download failed"):
            client.download(list(sizes), into, lambda: True)

    def test_machine_sources_follow_the_machine_s_configuration(self):
        (self.folder / "machine.list").write_text("deb http://m/debian trixie main\n")
        (self.folder / "machine.list.d").mkdir()
        (self.folder / "machine.list.d/a.list").write_text("deb http://n/debian sid main\n")
        self.assertEqual(
            [source.uris[0] for source in apt.machine_sources()],
            ["http://m/debian", "http://n/debian"],
        )


if __name__ == "__main__":
    unittest.main()
