# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

import argparse
import contextlib
import io
import json
import tempfile
from pathlib import Path
from unittest import mock

from absl.testing import absltest

from warpyard.cli import bazel_tests, test_command
from warpyard.cli.bazel_tests import GatedTest, Workspace
from warpyard.cli.usage import UsageError


def _test(name: str, lane: str, requires: str = "gpus>=1", **fields) -> GatedTest:
    return GatedTest(
        f"//a:{name}.{lane or 'no-lane'}",
        f"//a:{name}",
        lane,
        requires,
        tags=("gpu",) if lane else (),
        **fields,
    )


_TESTS = [
    _test("hopper", "h100", "sm>=9.0 & gpus>=1"),
    _test("hopper", "b200", "sm>=9.0 & gpus>=1", xfail="why, who, 2099-01-01"),
    _test("any", "h100"),
    _test("any", "a100"),
]


class FakeWorkspace:
    """A workspace with gated tests, and one test that is not gated: //a:plain."""

    def __init__(self, tests: list[GatedTest]) -> None:
        self.tests = tests
        self.ran: list[tuple[str, list[str]]] = []

    def gated_tests(self, labels: list[str]) -> list[GatedTest]:
        every = any(bazel_tests.is_pattern(label) for label in labels)
        return [t for t in self.tests if every or t.suite in labels or t.label in labels]

    def expand(self, label: str) -> list[str]:
        gated = [test.label for test in self.gated_tests([label])]
        return gated or ([label] if label == "//a:plain" else [])

    def compatible(self, lane: str, labels: list[str]) -> set[str]:
        fits = {test.label for test in self.tests if test.lane == lane} | {"//a:plain"}
        return fits & set(labels)

    def test(self, lane: str, labels: list[str]) -> int:
        self.ran.append((lane, labels))
        return 0


def _run(tests: list[GatedTest], *labels: str, **flags) -> tuple[int, str, str, FakeWorkspace]:
    workspace = FakeWorkspace(tests)
    options = argparse.Namespace(
        **{"labels": list(labels), "lane": None, "map": False, "json": False, "verify": []} | flags
    )
    out, err = io.StringIO(), io.StringIO()
    with mock.patch.object(bazel_tests, "here", lambda: workspace):
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = test_command.run(options)
    return code, out.getvalue(), err.getvalue(), workspace


class TestCommandTest(absltest.TestCase):
    def test_runs_what_is_on_the_lane(self):
        code, _, _, workspace = _run(_TESTS, "//a:hopper", "//b/...", lane="h100")
        self.assertEqual((code, workspace.ran), (0, [("h100", ["//a:hopper", "//b/..."])]))
        self.assertEqual(_run(_TESTS, lane="h100")[3].ran, [("h100", ["//..."])])

    def test_a_label_that_the_lane_drops_is_an_error(self):
        with self.assertRaisesRegex(
            UsageError,
            "^//a:hopper does not run on lane a100: it requires sm>=9.0 & gpus>=1; lanes: b200, h1",
        ):
            _run(_TESTS, "//a:any", "//a:hopper", lane="a100")
        with self.assertRaisesRegex(UsageError, "//a:hopper.b200 does not run on lane h100"):
            _run(_TESTS, "//a:hopper.b200", lane="h100")
        with self.assertRaisesRegex(UsageError, "//a:plain is not gated, and lane h100 runs gated"):
            _run(_TESTS, "//a:plain", lane="h100")
        with self.assertRaisesRegex(UsageError, "//a:nothing is no test"):
            _run(_TESTS, "//a:nothing", lane="h100")

    def test_what_is_not_gated_runs_on_lanes_without_a_gpu(self):
        self.assertEqual(_run(_TESTS, "//a:plain", lane="cpu")[0], 0)

    def test_map(self):
        code, out, _, workspace = _run(_TESTS, map=True)
        self.assertEqual((code, workspace.ran), (0, []))
        self.assertIn("//a:hopper  [sm>=9.0 & gpus>=1]\n    b200!, h100\n", out)
        self.assertIn("2 tests, 4 targets on 3 lanes", out)
        record = json.loads(_run(_TESTS, json=True)[1])
        self.assertEqual(record["tests"]["//a:any"]["lanes"], ["a100", "h100"])
        self.assertEqual(record["tests"]["//a:hopper"]["xfail"], {"b200": "why, who, 2099-01-01"})

    def test_a_test_without_a_lane_fails_unless_that_is_excused(self):
        for waiver, told in (
            ("", 'no lane can run it: it requires gpus>=1024; excuse it with no_lane = "'),
            ("why, who, 2020-01-01", "the excuse has expired: why, who, 2020-01-01"),
        ):
            code, _, err, _ = _run(
                [*_TESTS, _test("huge", "", "gpus>=1024", waiver=waiver)], map=True
            )
            self.assertEqual(code, 1)
            self.assertIn(told, err)
        excused = _test("huge", "", "gpus>=1024", waiver="why, who, 2099-01-01")
        self.assertEqual(_run([*_TESTS, excused], map=True)[0], 0)

    def test_verify(self):
        self.assertEqual(_run(_TESTS, verify=["h100"])[0], 0)
        with mock.patch.object(FakeWorkspace, "compatible", lambda *_: {"//a:any.a100"}):
            code, _, err, _ = _run(_TESTS, verify=["h100"])
        self.assertEqual(code, 1)
        self.assertIn("//a:any.h100: the map has it on lane h100, and its platform does not", err)
        self.assertIn("//a:any.a100: the platform of lane h100 suits it", err)
        with self.assertRaisesRegex(UsageError, 'no test is on lane "h1000"'):
            _run(_TESTS, verify=["h1000"])


class BazelTestsTest(absltest.TestCase):
    def test_labels(self):
        for text in ("//a/b", "a/b", "//a/b:b", "@@//a/b:b", "@//a/b"):
            self.assertEqual(bazel_tests.normal_label(text), "//a/b:b")
        patterns = [
            t
            for t in ("//...", "//a:all", "//a:*", "-//a", "//a", "//a:b")
            if bazel_tests.is_pattern(t)
        ]
        self.assertEqual(patterns, ["//...", "//a:all", "//a:*", "-//a"])

    def test_reads_what_a_query_prints(self):
        rule = {
            "name": "//a:t.h100",
            "ruleClass": "cc_lane_test",
            "attribute": [
                {"name": "lane", "stringValue": "h100"},
                {"name": "suite", "stringValue": "//a:t"},
                {"name": "requires", "stringValue": "sm>=9.0"},
                {"name": "tags", "stringListValue": ["gpu"]},
                {
                    "name": "test_environment",
                    "stringDictValue": [{"key": "WARPYARD_TEST_WAIVER", "value": "w"}],
                },
            ],
        }
        lines = [
            json.dumps({"type": "RULE", "rule": rule}),
            json.dumps({"rule": {"name": "//a:x", "ruleClass": "cc_test"}}),
        ]
        self.assertEqual(
            bazel_tests.parse_query(lines),
            [GatedTest("//a:t.h100", "//a:t", "h100", "sm>=9.0", "w", "", ("gpu",))],
        )

    def test_outside_of_a_workspace(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(UsageError, "is in no Bazel workspace"):
                Workspace(Path(folder))
            Path(folder, "MODULE.bazel").touch()
            with mock.patch("shutil.which", return_value=None):
                with self.assertRaisesRegex(UsageError, "no bazelw in .* and no bazel"):
                    Workspace(Path(folder))


if __name__ == "__main__":
    absltest.main()
