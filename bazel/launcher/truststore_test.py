# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for truststore."""

import base64
import hashlib
import shutil
import ssl
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

from bazel.launcher import truststore


def _pem(der: bytes) -> bytes:
    body = base64.encodebytes(der).decode()
    return f"-----BEGIN CERTIFICATE-----\n{body}-----END CERTIFICATE-----\n".encode()


def _read(store: bytes) -> list[bytes]:
    """Reads a key store back, checking every field on the way."""
    magic, version, count = struct.unpack_from(">III", store)
    assert (magic, version) == (0xFEEDFEED, 2)
    at, found, aliases = 12, [], set()

    def text() -> str:
        nonlocal at
        (length,) = struct.unpack_from(">H", store, at)
        at += 2 + length
        return store[at - length : at].decode()

    for _ in range(count):
        assert struct.unpack_from(">I", store, at) == (2,)
        at += 4
        aliases.add(text())
        at += 8
        assert text() == "X.509"
        (length,) = struct.unpack_from(">I", store, at)
        at += 4 + length
        found.append(store[at - length : at])
    assert len(aliases) == count
    digest = hashlib.sha1("changeit".encode("utf-16-be") + b"Mighty Aphrodite" + store[:at])
    assert store[at:] == digest.digest()
    return found


class CertificatesTest(unittest.TestCase):
    def test_each_once_in_order_with_text_between(self):
        pem = b"# one\n" + _pem(b"one" * 50) + b"# two\n" + _pem(b"two") + _pem(b"one" * 50)
        self.assertEqual(truststore.certificates(pem), [b"one" * 50, b"two"])

    def test_damaged_ones_are_left_out(self):
        damaged = b"-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n"
        self.assertEqual(truststore.certificates(damaged + _pem(b"good")), [b"good"])

    def test_empty(self):
        self.assertEqual(truststore.certificates(b""), [])


class KeyStoreTest(unittest.TestCase):
    def test_reads_back(self):
        der = [bytes([n]) * n for n in range(1, 200)]
        self.assertEqual(_read(truststore.key_store(der)), der)

    def test_empty_store_reads_back(self):
        self.assertEqual(_read(truststore.key_store([])), [])

    @unittest.skipUnless(shutil.which("keytool"), "no keytool on PATH")
    def test_java_reads_this_machine_s_authorities(self):
        bundle = ssl.get_default_verify_paths().cafile
        if not bundle or not Path(bundle).is_file():
            self.skipTest("this machine has no file of authorities")
        der = truststore.certificates(Path(bundle).read_bytes())
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "cacerts"
            file.write_bytes(truststore.key_store(der))
            listed = subprocess.run(
                ["keytool", "-list", "-keystore", file, "-storepass", "changeit"],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        self.assertIn(f"contains {len(der)} entries", listed)


if __name__ == "__main__":
    unittest.main()
