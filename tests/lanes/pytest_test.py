# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Verdicts of programs of pytest."""

from absl.testing import absltest
from programs import ProgramTest


class PytestTest(ProgramTest):
    def test_each_verdict(self):
        run = self.run_python(
            """
            import unittest
            def test_passes(): pass
            def test_fails(): assert 1 == 2
            @pytest.mark.requires("sm>=10.0")
            def test_needs_blackwell(): assert False
            @testing.requires("sm>=10.0")
            def test_decorated(): assert False
            def test_inside(): testing.require("gpus>=2")
            @pytest.mark.warpyard_xfail("a reason", "an owner", "2999-01-01")
            def test_known_to_fail(): assert False
            @testing.xfail("a reason", "an owner", "2999-01-01")
            def test_mended(): pass
            @testing.xfail("a reason", "an owner", "2020-01-01")
            def test_expired(): assert False
            @pytest.mark.xfail
            def test_pytests_own(): assert False
            @pytest.mark.xfail
            def test_pytests_own_mended(): pass
            @pytest.fixture
            def broken():
                yield
                assert False
            def test_teardown(broken): pass
            @testing.requires("gpu==b200")
            class TestB200:
                def test_one(self): pass
            class TestCase(unittest.TestCase):
                @testing.requires("gpu==b200")
                def test_two(self): pass
            """,
            "pytest",
        )
        self.assertEqual(run.code, 1, run.output)
        self.assertEqual(
            {name.removeprefix("program_test.py."): v for name, v in run.verdicts().items()},
            {
                "test_passes": "passed",
                "test_fails": "failed",
                "test_needs_blackwell": "skipped",
                "test_decorated": "skipped",
                "test_inside": "skipped",
                "test_known_to_fail": "xfail",
                "test_mended": "xpass",
                "test_expired": "failed",
                "test_pytests_own": "xfail",
                "test_pytests_own_mended": "xpass",
                "test_teardown": "failed",
                "TestB200.test_one": "skipped",
                "TestCase.test_two": "skipped",
            },
            run.output,
        )
        self.assertEqual(run.case("test_inside")["requirement"], "gpus>=2")
        self.assertEqual(run.case("test_needs_blackwell")["found"], "9.0")
        self.assertLen(run.lines[0]["cases"], 13)

    def test_undeclared_skips_fail_where_that_is_strict(self):
        text = """
            def test_passes(): pass
            def test_skips(): pytest.skip("not today")
            @pytest.mark.skipif(True, reason="nor here")
            def test_marked(): pass
            """
        run = self.run_python(text, "pytest")
        self.assertEqual(run.code, 0, run.output)
        run = self.run_python(text, "pytest", WARPYARD_STRICT_SKIPS="1")
        self.assertEqual(run.code, 1, run.output)
        self.assertEqual(run.case("test_skips")["verdict"], "failed")
        self.assertEqual(run.case("test_marked")["verdict"], "failed")
        self.assertIn("nor here", run.case("test_marked")["message"])

    def test_expected_failures_pass(self):
        run = self.run_python(
            """
            def test_passes(): pass
            @testing.xfail("a reason", "an owner", "2999-01-01")
            def test_known_to_fail(): assert False
            """,
            "pytest",
        )
        self.assertEqual(run.code, 0, run.output)

    def test_a_module_that_skips_itself(self):
        text = 'pytest.skip("not today", allow_module_level=True)'
        run = self.run_python(text, "pytest", WARPYARD_STRICT_SKIPS="1")
        self.assertNotEqual(run.code, 0, run.output)
        self.assertEqual(run.case("module")["verdict"], "failed")
        run = self.run_python(text, "pytest")
        self.assertEqual(run.code, 1, run.output)
        self.assertIn("all cases were skipped", run.output)

    def test_all_skipped_is_a_failure(self):
        run = self.run_python(
            """
            pytestmark = pytest.mark.requires("sm>=10.0")
            def test_one(): pass
            """,
            "pytest",
        )
        self.assertEqual(run.code, 1, run.output)
        self.assertIn("all cases were skipped", run.end["message"])

    def test_shards_have_all_cases_once(self):
        text = "@pytest.mark.parametrize('i', range(5))\ndef test_one(i): pass\n"
        found: list[str] = []
        for index in range(2):
            run = self.run_python(
                text, "pytest", TEST_TOTAL_SHARDS="2", TEST_SHARD_INDEX=str(index)
            )
            self.assertEqual(run.code, 0, run.output)
            found += run.verdicts()
        self.assertLen(set(found), 5)
        self.assertLen(found, 5)

    def test_a_requirement_that_is_none(self):
        run = self.run_python("@pytest.mark.requires('sm>=h100')\ndef test_one(): pass\n", "pytest")
        self.assertEqual(run.code, 1, run.output)
        self.assertIn('"h100" is no compute capability', run.case("test_one")["message"])


if __name__ == "__main__":
    absltest.main()
