# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for packages."""

import unittest

from bazel.launcher import packages

_TAKEN = """
bazel-bootstrap bazel-bootstrap-data bazel-features bazel-rules-cc bazel-skylib ca-certificates
default-jre-headless libabsl20260526 libc6 libcares2 libcaffeine-java libgcc-s1 libgrpc29t64
libgrpc++1.51t64 libguava-java libnetty-java libprotobuf32t64 librx-java libstdc++6
libtomcat9-java libzstd-jni-java libzstd1 openjdk-25-jre-headless velocity zlib1g
""".split()

_LEFT = """
binutils binutils-common binutils-x86-64-linux-gnu build-essential cpp cpp-16
cpp-aarch64-linux-gnu default-jdk-headless dpkg-dev g++ g++-16 g++-16-x86-64-linux-gnu gcc gcc-16
gcc-16-base libasan8 libbcprov-java libbinutils libc6-dev libdb5.3t64 libgcc-16-dev libisl23
libjetty9-java libperl5.42 libpython3-stdlib libpython3.14-minimal libstdc++-16-dev libsystemd0
linux-libc-dev make openjdk-25-jdk-headless perl perl-base perl-modules-5.42 python3 python3.14
python3-minimal util-linux zlib1g-dev
""".split()


class WantedTest(unittest.TestCase):
    def test_what_bazel_runs_on_is_taken(self):
        self.assertEqual([name for name in _TAKEN if not packages.wanted(name)], [])

    def test_compilers_languages_and_servers_are_left_out(self):
        self.assertEqual([name for name in _LEFT if packages.wanted(name)], [])

    def test_an_unknown_package_is_taken(self):
        self.assertTrue(packages.wanted("libsomething-new-java"))

    def test_the_roots_are_taken(self):
        self.assertTrue(packages.wanted(packages.ROOT))
        self.assertTrue(packages.wanted(packages.GOOGLETEST))


if __name__ == "__main__":
    unittest.main()
