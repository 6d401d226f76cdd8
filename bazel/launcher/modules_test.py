# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for modules."""

import tempfile
import unittest
from pathlib import Path

from bazel.launcher import modules
from bazel.launcher.errors import LauncherError
from bazel.launcher.relocation import Prefix

_PACKAGED = {
    "rules/cc": 'module(\n    name = "rules_cc",\n    version = "0.0.11",\n)\n',
    "rules/java": 'module(name = "rules_java")\n',
    "rules/license": 'module(\n    name = "rules_license",\n)\n',
    "rules/proto": '"Bazel dependencies"\n\nmodule(\n    name = "rules_proto",\n)\n',
    "rules/python": '# comment\nmodule(\n    name = "rules_python",\n)\n',
    "tools/features": 'module(name = "bazel_features")\n',
    "tools/platforms": 'module(name = "platforms")\n',
    "tools/skylib": 'module(name = "bazel_skylib")\n',
}


class ModulesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name)
        self.prefix = Prefix(at=root / "now", final=root / "later")
        for name, text in _PACKAGED.items():
            self.write(f"usr/share/bazel/{name}/MODULE.bazel", text)
        self.write("usr/share/bazel/embedded_tools/MODULE.bazel", 'module(name = "bazel_tools")\n')
        self.own = self.prefix.at / "own"
        self.own.mkdir()
        self.overlay = root / "overlay"
        self.overlay.mkdir()

    def write(self, name, text):
        path = self.prefix.at / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_packaged_modules_are_found_by_their_own_names(self):
        share = self.prefix.at / "usr/share/bazel"
        self.assertEqual(
            modules.packaged(self.prefix),
            {
                "rules_cc": share / "rules/cc",
                "rules_java": share / "rules/java",
                "rules_license": share / "rules/license",
                "rules_proto": share / "rules/proto",
                "rules_python": share / "rules/python",
                "bazel_features": share / "tools/features",
                "platforms": share / "tools/platforms",
                "bazel_skylib": share / "tools/skylib",
            },
        )

    def test_googletest_gets_the_overlay(self):
        self.write("usr/src/googletest/googletest/src/gtest.cc", "source")
        (self.overlay / "BUILD.bazel.overlay").write_text("build")
        (self.overlay / "MODULE.bazel.overlay").write_text("module")
        (self.overlay / "README").write_text("not this")
        module = modules.lay_googletest(self.prefix, self.own, self.overlay)
        self.assertEqual((module / "googletest/src/gtest.cc").read_text(), "source")
        self.assertEqual((module / "BUILD.bazel").read_text(), "build")
        self.assertEqual((module / "MODULE.bazel").read_text(), "module")
        self.assertFalse((module / "README").exists())

    def test_googletest_without_sources_or_overlay_is_refused(self):
        with self.assertRaisesRegex(LauncherError, "no sources"):
            modules.lay_googletest(self.prefix, self.own, self.overlay)
        self.write("usr/src/googletest/googletest/src/gtest.cc", "source")
        with self.assertRaisesRegex(LauncherError, "overlay"):
            modules.lay_googletest(self.prefix, self.own, self.overlay)

    def test_bazelrc_overrides_every_module_at_its_final_place(self):
        found = modules.packaged(self.prefix)
        found["googletest"] = self.own / "googletest"
        found.update(modules.write_empty(self.own))
        lines = modules.bazelrc(self.prefix, found).splitlines()
        self.assertEqual(len(lines), len(found))
        self.assertEqual(lines, sorted(lines))
        self.assertIn(
            f"common --override_module=rules_cc={self.prefix.final}/usr/share/bazel/rules/cc", lines
        )
        self.assertIn(f"common --override_module=zlib={self.prefix.final}/own/zlib", lines)
        self.assertEqual((self.own / "zlib/MODULE.bazel").read_text(), 'module(name = "zlib")\n')

    def test_a_module_that_debian_no_longer_packages_is_named(self):
        found = modules.packaged(self.prefix)
        del found["rules_python"]
        with self.assertRaisesRegex(LauncherError, "googletest, rules_python"):
            modules.bazelrc(self.prefix, found)


if __name__ == "__main__":
    unittest.main()
