# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Whom run_lane.py blames."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from ci import run_lane


class RunLaneTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def _blames_the_machine(self, *logs: tuple[str, str]) -> bool:
        events = []
        for i, (status, log) in enumerate(logs):
            path = self.folder / f"{i}.log"
            path.write_text(log, encoding="utf-8")
            output = {"name": "test.log", "uri": path.as_uri()}
            events.append({"testResult": {"status": status, "testActionOutput": [output]}})
        events.append({"progress": {}})
        file = self.folder / "events.json"
        file.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
        return run_lane.only_infrastructure_failed(file)

    def test_blame(self):
        machine = ("FAILED", "warpyard: infrastructure: lane h100 is not what it claims to be")
        self.assertTrue(self._blames_the_machine(machine, ("PASSED", "ok")))
        self.assertFalse(self._blames_the_machine(machine, ("FAILED", "wrong sum")))
        self.assertFalse(self._blames_the_machine(("PASSED", "ok")))
        self.assertFalse(self._blames_the_machine())

    def test_a_lane_that_is_none(self):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit) as caught:
            run_lane.main(["h1000"])
        self.assertEqual(caught.exception.code, 2)
        self.assertIn('"h1000" is no lane; lanes are emulated-h100, ', errors.getvalue())


if __name__ == "__main__":
    unittest.main()
