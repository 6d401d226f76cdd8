# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Holds the order of layers against the code of cc/."""

import argparse
import sys
import unittest
from pathlib import Path

from tests.layers import layers

_SUFFIXES = {".h", ".cc", ".bazel", ".cu", ".inc"}


class LayersTest(unittest.TestCase):
    def test_the_code_keeps_the_order(self):
        files = [
            (str(path), path.read_text(encoding="utf-8"))
            for layer in OPTIONS.existing.split(",")
            for path in sorted(Path("cc", layer).rglob("*"))
            if path.suffix in _SUFFIXES and path.is_file()
        ]
        self.assertGreater(len(files), len(OPTIONS.existing.split(",")))
        self.assertEqual(layers.violations(files, OPTIONS.layers.split(",")), [])

    def test_an_include_upwards_is_found(self):
        files = [("cc/base/a.h", '#include "cc/ptx/provider.h"\n')]
        self.assertIn("cc/base may not use cc/ptx", layers.violations(files, ["base", "ptx"])[0])

    def test_a_label_upwards_is_found(self):
        files = [("cc/base/BUILD.bazel", 'deps = ["//cc/ptx:provider"]')]
        self.assertEqual(len(layers.violations(files, ["base", "ptx"])), 1)
        self.assertEqual(layers.violations(files, ["ptx", "base"]), [])

    def test_visibility_is_not_a_use(self):
        files = [("cc/base/BUILD.bazel", 'visibility = ["//cc/ptx:__pkg__"]')]
        self.assertEqual(layers.violations(files, ["base", "ptx"]), [])

    def test_an_unlisted_layer_is_found(self):
        files = [("cc/new/a.h", ""), ("cc/base/a.h", '#include "cc/new/a.h"')]
        self.assertEqual(len(layers.violations(files, ["base"])), 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--layers", required=True)
    parser.add_argument("--existing", required=True)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
