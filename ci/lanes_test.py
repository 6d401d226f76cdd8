# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Holds the files made from ci/lanes.bzl, and its figures, to what they are made from."""

import re
import sys
import unittest
from pathlib import Path

from ci import lane_files, run_lane

LANES = lane_files.read_lanes(Path(sys.argv[1]))


class LanesTest(unittest.TestCase):
    def test_files_are_as_made_now(self):
        for name, text in lane_files.contents(LANES, Path(".")).items():
            with self.subTest(name):
                self.assertEqual(
                    Path(name).read_text(encoding="utf-8"),
                    text,
                    f"{name} differs: run ./bazelw run //ci:update_lanes",
                )

    def test_bazelrc_takes_the_configurations(self):
        rc = Path(".bazelrc").read_text(encoding="utf-8")
        self.assertIn("import %workspace%/ci/lanes.bazelrc", rc)
        for lane in LANES:
            if lane["config"]:
                self.assertIn(f"\nbuild:{lane['config']} ", rc)

    def test_every_lane_can_be_run(self):
        self.assertEqual(run_lane.lane_names(), [lane["name"] for lane in LANES])

    def test_each_lane_is_in_every_workflow_once(self):
        for make in (lane_files.github, lane_files.buildkite):
            text = make(LANES)
            for lane in LANES:
                found = re.findall(rf"(?:lane: |label: ){re.escape(lane['name'])}[,\n]", text)
                self.assertEqual(len(found), 1, f"{make.__name__}: {lane['name']}")

    def test_gpus_are_those_of_the_database(self):
        for lane in LANES:
            if not lane["gpu"]:
                continue
            with self.subTest(lane["name"]):
                path = Path("cc/target/specs", f"{lane['gpu']}.textproto")
                spec = path.read_text(encoding="utf-8")
                sm = re.search(r'^compute_capability: "(.*)"', spec, re.MULTILINE)[1]
                gib = int(re.search(r"^memory_gb: (\d+)", spec, re.MULTILINE)[1])
                self.assertEqual(lane["facts"]["sm"], sm)
                if lane["emulated"]:
                    self.assertEqual(lane["facts"]["memory"], f"{gib}GiB")
                else:
                    mib = int(lane["facts"]["memory"].removesuffix("MiB"))
                    self.assertTrue(0.92 * gib * 1024 <= mib <= gib * 1024, (gib, mib))

    def test_a_page_without_marks_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "the page has no lines"):
            lane_files.with_table("# Lanes\n", "")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
