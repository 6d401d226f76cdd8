# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The package and the workspace are of the same version."""

import pathlib
import re

from absl.testing import absltest

import warpyard


class VersionTest(absltest.TestCase):
    def test_is_that_of_the_module(self) -> None:
        module = pathlib.Path("MODULE.bazel").read_text(encoding="utf-8")
        found = re.search(r'^module\((?:[^()]*?)version = "([^"]+)"', module, re.MULTILINE)
        self.assertIsNotNone(found)
        self.assertEqual(warpyard.__version__, found.group(1))


if __name__ == "__main__":
    absltest.main()
