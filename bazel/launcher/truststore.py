# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Writes the machine's certificate authorities where Bazel's Java server looks for them.

Debian makes that file when the Java package is installed, from the machine's own list. A prefix is
never installed, so it is made here: a remote cache or a download then meets the same authorities,
a company's own included, as any other program on the machine.

Format: Java KeyStore version 2, as documented with the JDK's sun.security.provider.JavaKeyStore.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import struct

_CERTIFICATE = re.compile(
    rb"-----BEGIN CERTIFICATE-----\s(.*?)-----END CERTIFICATE-----", re.DOTALL
)
_MAGIC = 0xFEEDFEED
_VERSION = 2
_TRUSTED_CERTIFICATE = 2
# A trust store holds no secrets; this is the password of every JDK's own.
_PASSWORD = "changeit"
_WHITENER = b"Mighty Aphrodite"


def certificates(pem: bytes) -> list[bytes]:
    """Returns the certificates of a PEM file in DER form, each once; damaged ones are left out."""
    found = []
    for body in _CERTIFICATE.findall(pem):
        try:
            found.append(base64.b64decode(b"".join(body.split()), validate=True))
        except binascii.Error:
            continue
    return list(dict.fromkeys(found))


def _utf(text: str) -> bytes:
    data = text.encode("ascii")
    return struct.pack(">H", len(data)) + data


def key_store(der: list[bytes]) -> bytes:
    """Returns a Java key store that trusts the given certificates."""
    parts = [struct.pack(">III", _MAGIC, _VERSION, len(der))]
    for index, certificate in enumerate(der):
        parts += [
            struct.pack(">I", _TRUSTED_CERTIFICATE),
            _utf(f"authority-{index}"),
            struct.pack(">Q", 0),  # Time of entry: the same input gives the same bytes.
            _utf("X.509"),
            struct.pack(">I", len(certificate)),
            certificate,
        ]
    data = b"".join(parts)
    digest = hashlib.sha1(_PASSWORD.encode("utf-16-be") + _WHITENER + data)
    return data + digest.digest()
