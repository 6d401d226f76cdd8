# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Verdicts of programs of absltest and unittest."""

from absl.testing import absltest
from programs import A100, H100, ProgramTest


class UnittestTest(ProgramTest):
    def test_each_verdict(self):
        run = self.run_python(
            """
            class T(absltest.TestCase):
                def test_passes(self): pass
                def test_fails(self): self.assertEqual(1, 2)
                @testing.requires("sm>=10.0")
                def test_needs_blackwell(self): raise AssertionError
                @testing.requires("sm>=9.0")
                def test_needs_hopper(self): pass
                @testing.xfail("a reason", "an owner", "2999-01-01")
                def test_known_to_fail(self): raise AssertionError("here")
                @testing.xfail("a reason", "an owner", "2999-01-01")
                def test_mended(self): pass
                @testing.xfail("a reason", "an owner", "2020-01-01")
                def test_expired(self): raise AssertionError
                @testing.xfail("a reason", "an owner", "2999-01-01", when="gpu==b200")
                def test_only_there(self): pass
                def test_inside(self):
                    testing.require("gpus>=2 & sm>=9.0")
                def test_subtests(self):
                    for i in range(3):
                        with self.subTest(i=i): self.assertNotEqual(i, 1)
            """
        )
        self.assertEqual(run.code, 1, run.output)
        self.assertEqual(
            run.verdicts(),
            {
                "T.test_expired": "failed",
                "T.test_fails": "failed",
                "T.test_inside": "skipped",
                "T.test_known_to_fail": "xfail",
                "T.test_mended": "xpass",
                "T.test_needs_blackwell": "skipped",
                "T.test_needs_hopper": "passed",
                "T.test_only_there": "passed",
                "T.test_passes": "passed",
                "T.test_subtests": "failed",
            },
            run.output,
        )
        skip = run.case("test_inside")
        self.assertEqual((skip["requirement"], skip["found"]), ("gpus>=2", "1"))
        self.assertIn("expired", run.case("test_expired")["message"])
        first = run.lines[0]
        self.assertEqual((first["kind"], first["attested"]), ("run", True))
        self.assertEqual(first["facts"]["gpu"], "h100")
        self.assertLen(first["cases"], 10)
        self.assertEqual(run.end["verdict"], "failed")
        assert run.xml is not None
        self.assertLen(list(run.xml.iter("testcase")), 10)
        self.assertLen(list(run.xml.iter("failure")), 4)
        self.assertLen(list(run.xml.iter("skipped")), 3)

    def test_expected_failures_pass(self):
        run = self.run_python(
            """
            class T(absltest.TestCase):
                def test_passes(self): pass
                @testing.xfail("a reason", "an owner", "2999-01-01")
                def test_known_to_fail(self): raise AssertionError("here")
            """
        )
        self.assertEqual(run.code, 0, run.output)
        self.assertEqual(run.end["verdict"], "passed")

    def test_undeclared_skips_fail_where_that_is_strict(self):
        text = """
            def helper(test): test.skipTest("no GPU, I think")
            class T(absltest.TestCase):
                def test_passes(self): pass
                def test_skips(self): helper(self)
                @unittest.skip("some day")
                def test_marked(self): pass
            """
        run = self.run_python(text)
        self.assertEqual(run.code, 0, run.output)
        self.assertEqual(run.verdicts()["T.test_skips"], "skipped")
        run = self.run_python(text, WARPYARD_STRICT_SKIPS="1")
        self.assertEqual(run.code, 1, run.output)
        self.assertEqual(run.verdicts()["T.test_skips"], "failed")
        self.assertEqual(run.verdicts()["T.test_marked"], "failed")
        self.assertIn(
            "skipped without a declared requirement: no GPU, I think",
            run.case("test_skips")["message"],
        )

    def test_skips_of_classes_and_modules_are_seen(self):
        for scope in ("class", "module"):
            for strict in ("", "1"):
                with self.subTest(scope=scope, strict=strict):
                    hook = "raise unittest.SkipTest('not today')"
                    run = self.run_python(
                        f"""
                        class Other(absltest.TestCase):
                            def test_passes(self): pass
                        class T(absltest.TestCase):
                            @classmethod
                            def setUpClass(cls):
                                {hook if scope == "class" else "pass"}
                            def test_one(self): pass
                            def test_two(self): pass
                        def setUpModule():
                            {hook if scope == "module" else "pass"}
                        """,
                        WARPYARD_STRICT_SKIPS=strict,
                    )
                    expected = "failed" if strict else "skipped"
                    self.assertEqual(run.verdicts()["T.test_one"], expected)
                    self.assertEqual(run.verdicts()["T.test_two"], expected)
                    fails = strict or scope == "module"
                    self.assertEqual(run.code, 1 if fails else 0, run.output)

    def test_declared_skip_of_a_class(self):
        run = self.run_python(
            """
            @testing.requires("gpu==b200")
            class T(absltest.TestCase):
                def setUp(self): raise AssertionError("must not be called")
                def test_one(self): pass
            class U(parameterized.TestCase):
                @parameterized.parameters(1, 2)
                @testing.requires("sm>=9.0")
                def test_two(self, value): pass
            """,
            WARPYARD_STRICT_SKIPS="1",
        )
        self.assertEqual(run.code, 0, run.output)
        self.assertEqual(
            run.verdicts(),
            {"T.test_one": "skipped", "U.test_two0": "passed", "U.test_two1": "passed"},
        )

    def test_all_skipped_is_a_failure(self):
        text = """
            class T(absltest.TestCase):
                @testing.requires("sm>=10.0")
                def test_one(self): pass
            """
        run = self.run_python(text)
        self.assertEqual(run.code, 1, run.output)
        self.assertIn("all cases were skipped", run.end["message"])
        self.assertIn("all cases were skipped", run.output)

    def test_the_targets_own_requirement(self):
        run = self.run_python(
            "raise AssertionError('must not be loaded')",
            WARPYARD_TEST_REQUIRES="sm>=10.0 & gpus>=1",
        )
        self.assertEqual(run.code, 0, run.output)
        self.assertEqual(run.verdicts(), {"target": "skipped"})
        self.assertEqual(run.case("target")["requirement"], "sm>=10.0")

    def test_no_case_is_a_failure(self):
        run = self.run_python("class T(absltest.TestCase): pass")
        self.assertNotEqual(run.code, 0, run.output)

    def test_expected_failure_of_the_target(self):
        waiver = "wrong sums, the numerics team, 2999-01-01"
        failing = """
            class T(absltest.TestCase):
                def test_one(self): self.fail("wrong")
                def test_two(self): pass
            """
        run = self.run_python(failing, WARPYARD_TEST_XFAIL=waiver)
        self.assertEqual(run.code, 0, run.output)
        self.assertEqual(run.verdicts(), {"T.test_one": "xfail", "T.test_two": "passed"})
        run = self.run_python(failing.replace("self.fail", "str"), WARPYARD_TEST_XFAIL=waiver)
        self.assertEqual(run.code, 1, run.output)
        self.assertEqual(run.verdicts()["target"], "xpass")
        run = self.run_python(failing, WARPYARD_TEST_XFAIL="wrong sums, numerics, 2020-01-01")
        self.assertEqual(run.code, 1, run.output)

    def test_unittests_own_expected_failures(self):
        run = self.run_python(
            """
            class T(absltest.TestCase):
                @unittest.expectedFailure
                def test_one(self): self.fail("wrong")
                @unittest.expectedFailure
                def test_two(self): pass
            """
        )
        self.assertEqual(run.code, 1, run.output)
        self.assertEqual(run.verdicts(), {"T.test_one": "xfail", "T.test_two": "xpass"})

    def test_sharding_and_filters(self):
        text = """
            class T(absltest.TestCase):
                def test_one(self): pass
                def test_two(self): pass
                def test_three(self): pass
            """
        found = set()
        for index in "012":
            run = self.run_python(
                text,
                TEST_TOTAL_SHARDS="3",
                TEST_SHARD_INDEX=index,
                TEST_SHARD_STATUS_FILE=str(self.folder / "status"),
            )
            self.assertEqual(run.code, 0, run.output)
            self.assertLen(run.verdicts(), 1)
            found |= set(run.verdicts())
        self.assertLen(found, 3)
        run = self.run_python(text, TESTBRIDGE_TEST_ONLY="T.test_two")
        self.assertEqual(run.verdicts(), {"T.test_two": "passed"}, run.output)


class LaneTest(ProgramTest):
    _PASSES = "class T(absltest.TestCase):\n    def test_passes(self): pass\n"

    def test_a_lane_that_lies(self):
        for name, gpus, told in (
            ("another GPU", A100, "gpu==h100 found a100; sm==9.0 found 8.0"),
            ("fewer", "", "gpu==h100 found no GPU"),
            ("more", f"{H100};{H100}", "gpus==1 found 2"),
            ("a slice", "NVIDIA H100 80GB HBM3 MIG 1g.10gb|9|0|81559", "is a slice of a GPU"),
            ("less memory", "NVIDIA H100 80GB HBM3|9|0|9856", "memory>=70GiB found 9856MiB"),
        ):
            with self.subTest(name):
                run = self.run_python(self._PASSES, WARPYARD_FAKE_GPUS=gpus)
                self.assertEqual(run.code, 75, run.output)
                self.assertIn("lane emulated-h100 is not what it claims to be", run.output)
                self.assertIn(told, run.output)
                self.assertEqual(run.end["verdict"], "infrastructure")

    def test_an_emulated_gpu_is_no_hardware(self):
        run = self.run_python(self._PASSES, WARPYARD_LANE_CLAIM="gpu==h100 & hardware")
        self.assertEqual(run.code, 75, run.output)
        self.assertIn("hardware found an emulated device", run.output)

    def test_a_real_gpu_is_not_emulated(self):
        import os

        run = self.run_python(
            self._PASSES,
            WARPYARD_CUDA_DRIVER=os.environ["WARPYARD_TEST_REAL_DRIVER"],
            WARPYARD_EMULATE="h100",
        )
        self.assertEqual(run.code, 75, run.output)
        self.assertIn("a real GPU", run.output)

    def test_a_driver_that_does_not_load(self):
        run = self.run_python(self._PASSES, WARPYARD_CUDA_DRIVER="/nowhere/libcuda.so.1")
        self.assertEqual(run.code, 75, run.output)
        self.assertIn("/nowhere/libcuda.so.1 does not load", run.output)

    def test_a_driver_that_fails(self):
        run = self.run_python(self._PASSES, WARPYARD_FAKE_INIT="999")
        self.assertEqual(run.code, 75, run.output)
        self.assertIn("cuInit gave error 999", run.output)


if __name__ == "__main__":
    absltest.main()
