# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests of totals.py."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from ci import totals

_GOOGLETEST = """<testsuites><testsuite name="A">
<testcase name="a" status="run"/>
<testcase name="b" status="run"><failure message="x"/></testcase>
<testcase name="c" status="run"><skipped message="no GPU"/></testcase>
<testcase name="d" status="notrun"/>
</testsuite></testsuites>"""


class TotalsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def program(self, label, status, xml=None, **identity):
        outputs = []
        if xml is not None:
            path = self.folder / f"{len(list(self.folder.iterdir()))}.xml"
            path.write_text(xml)
            outputs.append({"name": "test.xml", "uri": path.as_uri()})
        return {
            "id": {"testResult": {"label": label, **identity}},
            "testResult": {"status": status, "testActionOutput": outputs},
        }

    def test_counts_cases_by_verdict(self):
        self.assertEqual(totals.count_cases(_GOOGLETEST), totals.Totals(1, 1, 2))

    def test_a_crash_without_a_report_is_a_failure(self):
        found, failed = totals.add_up([self.program("//a:crash", "FAILED")])
        self.assertEqual(found, totals.Totals(0, 1, 0))
        self.assertEqual(failed, ["//a:crash"])

    def test_a_failed_program_whose_report_shows_no_failure_is_a_failure(self):
        xml = '<testsuite><testcase name="a"/></testsuite>'
        found, _ = totals.add_up([self.program("//a:leak", "FAILED", xml)])
        self.assertEqual(found, totals.Totals(1, 1, 0))

    def test_shards_are_added_and_a_retry_replaces(self):
        xml = '<testsuite><testcase name="a"/></testsuite>'
        events = [
            self.program("//a:t", "PASSED", xml, shard=1),
            self.program("//a:t", "FAILED", None, shard=2),
            self.program("//a:t", "PASSED", xml, shard=2),
        ]
        self.assertEqual(totals.add_up(events)[0], totals.Totals(2, 0, 0))

    def test_what_did_not_build_is_a_failure_and_what_was_skipped_is_not(self):
        events = [
            {"id": {"targetCompleted": {"label": "//a:broken"}}, "completed": {}},
            {"id": {"targetCompleted": {"label": "//a:ok"}}, "completed": {"success": True}},
            {
                "id": {"targetCompleted": {"label": "//a:windows"}},
                "aborted": {"reason": "SKIPPED"},
            },
        ]
        found, failed = totals.add_up(events)
        self.assertEqual(found, totals.Totals(0, 1, 0))
        self.assertEqual(failed, ["//a:broken"])

    def run_main(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = totals.main(list(arguments))
        return status, out.getvalue(), err.getvalue()

    def test_nothing_ran_is_not_a_pass(self):
        path = self.folder / "events.json"
        path.write_text("")
        self.assertEqual(self.run_main(str(path))[:2], (1, "0 passed, 0 failed, 0 skipped\n"))

    def test_prints_the_totals_last(self):
        path = self.folder / "events.json"
        path.write_text(json.dumps(self.program("//a:t", "FAILED", _GOOGLETEST)) + "\n")
        status, out, _ = self.run_main(str(path))
        self.assertEqual(status, 1)
        self.assertEqual(out, "FAILED: //a:t\n1 passed, 1 failed, 2 skipped\n")

    def test_a_missing_file_is_one_line(self):
        status, _, err = self.run_main(str(self.folder / "none.json"))
        self.assertEqual(status, 2)
        self.assertEqual(err.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
