# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Which of the packages that Bazel's Debian package asks for are worth taking.

Debian's Bazel depends on all that a user may want beside it: compilers, a whole JDK, scripting
languages, application servers. The launcher needs what runs the client, its helpers and its Java
server. What is left out is named here, so that a new dependency is taken until someone looks at it.
"""

from __future__ import annotations

import re

# Package whose dependencies are taken, and the extra package with GoogleTest's sources.
ROOT = "bazel-bootstrap"
GOOGLETEST = "googletest"

_LEFT_OUT = (
    # Compilers and their parts: Bazel uses the machine's own.
    r"(gcc|g\+\+|cpp|binutils|build-essential|make|patch|dpkg-dev)(-.*)?",
    r"lib(binutils|ctf.*|gprofng\d+|sframe\d+|cc1-\d+|isl\d+|mpc\d+|mpfr\d+|gmp\d+|jansson\d+)",
    r"(libgcc-\d+-dev|libstdc\+\+-\d+-dev|libc6?-dev.*|linux-libc-dev|libcrypt-dev|zlib1g-dev)",
    r"lib(asan|hwasan|lsan|tsan|ubsan|gomp|itm|quadmath|atomic)\d+",
    # A JDK: the server needs the run time alone.
    r"(openjdk-\d+|default)-jdk(-headless)?",
    # Scripting languages, and the system's own tools and their libraries.
    r"(lib)?(perl|python3)(\..*|-.*|\d.*)?|libdpkg-perl",
    r"(debconf|util-linux|openssl|openssl-provider-legacy|tzdata|media-types|netbase|bzip2|unzip)",
    r"(xz-utils|readline-common|ca-certificates-java|java-common)",
    r"lib(pam.*|audit.*|cap-ng\d+|blkid\d+|mount\d+|smartcols\d+|uuid\d+|udev\d+|systemd\d+)",
    r"lib(ncursesw\d+|tinfo\d+|readline\d+.*|sqlite3-\d+|db\d.*|gdbm.*|ffi\d+|bz2-.*|expat\d+)",
    r"lib(selinux\d+|pcre2-.*|c-gconv-modules-extra)",
    # What the Java libraries' packages name and Bazel's class path does not.
    r"(node|libjs)-.*|velocity-doc|junit4|async-profiler-java",
    r"lib(bcprov|eclipse-jdt-.*|jgit|jetty9|log4j.*|mongodb|maven.*|wagon.*|plexus.*|sisu.*)-java",
    r"lib(httpclient|httpcore|javaparser|guice|jacoco|bsh|jsch|jzlib|javaewah|jackson2-.*)-java",
)
_LEFT_OUT_PATTERN = re.compile("|".join(f"(?:{pattern})" for pattern in _LEFT_OUT))


def wanted(name: str) -> bool:
    """Says whether a package belongs into the prefix."""
    return _LEFT_OUT_PATTERN.fullmatch(name) is None
