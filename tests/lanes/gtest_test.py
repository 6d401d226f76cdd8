# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Verdicts of GoogleTest programs: sample_program.cc, of which each test here runs a part."""

import os
import threading

from absl.testing import absltest
from programs import A100, H100, ProgramTest, Run

from warpyard.testing import gpu_share


class GtestTest(ProgramTest):
    def run_sample(self, cases: str, *arguments: str, **variables: str) -> Run:
        return self.run_command(
            [os.environ["WARPYARD_TEST_SAMPLE"], f"--gtest_filter={cases}", *arguments], **variables
        )

    def test_each_verdict(self):
        run = self.run_sample("*")
        self.assertEqual(run.code, 1, run.output)
        self.assertEqual(
            run.verdicts(),
            {
                "Plain.Passes": "passed",
                "Plain.Fails": "failed",
                "Plain.DISABLED_NeverRuns": "never_ran",
                "Plain.Dies": "passed",
                "Requires.Met": "passed",
                "Requires.Unmet": "skipped",
                "Requires.Wrong": "failed",
                "Skips.InAHelper": "skipped",
                "FixtureTest.One": "skipped",
                "SuiteTest.One": "skipped",
                "SuiteTest.Two": "skipped",
                "SkippingSuiteTest.One": "skipped",
                "FailingSuiteTest.One": "never_ran",
                "FailingSuiteTest.SetUpTestSuite": "failed",
                "Xfail.Fails": "xfail",
                "Xfail.Mended": "xpass",
                "Xfail.Expired": "failed",
                "Xfail.Elsewhere": "passed",
                "Xfail.NoDate": "failed",
                "Kills.Itself": "passed",
            },
        )
        skip = run.case("Unmet")
        self.assertEqual((skip["requirement"], skip["found"]), ("gpus>=2", "1"))
        self.assertIn('"h100" is no compute capability', run.case("Wrong")["message"])
        self.assertLen(run.lines[0]["cases"], 19)
        self.assertEqual(run.lines[0]["facts"]["gpu"], "h100")
        self.assertEqual(run.end["verdict"], "failed")
        assert run.xml is not None
        self.assertLen(list(run.xml.iter("testcase")), 20)
        self.assertLen(list(run.xml.iter("failure")), 6)
        self.assertIn('<&"', next(run.xml.iter("failure")).text or "")

    def test_expected_failures_pass(self):
        run = self.run_sample("Plain.Passes:Xfail.Fails:Requires.*met")
        self.assertEqual(run.code, 0, run.output)
        self.assertEqual(run.end["verdict"], "passed")

    def test_undeclared_skips_fail_where_that_is_strict(self):
        for case in ("Skips.InAHelper", "SkippingSuiteTest.One"):
            with self.subTest(case):
                run = self.run_sample(f"Plain.Passes:{case}", WARPYARD_STRICT_SKIPS="1")
                self.assertEqual(run.code, 1, run.output)
                self.assertEqual(run.verdicts()[case], "failed")
                self.assertIn("without a declared requirement: not today", run.output)
                run = self.run_sample(f"Plain.Passes:{case}")
                self.assertEqual(run.code, 0, run.output)

    def test_declared_skips_pass_where_that_is_strict(self):
        run = self.run_sample(
            "Plain.Passes:FixtureTest.*:SuiteTest.*:Requires.Unmet", WARPYARD_STRICT_SKIPS="1"
        )
        self.assertEqual(run.code, 0, run.output)
        self.assertEqual(run.verdicts()["SuiteTest.Two"], "skipped")

    def test_all_skipped_is_a_failure(self):
        run = self.run_sample("Requires.Unmet:SuiteTest.*")
        self.assertEqual(run.code, 1, run.output)
        self.assertIn("all cases were skipped", run.end["message"])

    def test_an_environment_that_skips_everything(self):
        run = self.run_sample("Plain.Passes", SAMPLE_ENVIRONMENT_SKIPS="1")
        self.assertEqual(run.code, 1, run.output)
        self.assertEqual(run.verdicts(), {"Plain.Passes": "skipped"})
        run = self.run_sample("*", SAMPLE_ENVIRONMENT_SKIPS="1", WARPYARD_STRICT_SKIPS="1")
        self.assertEqual(run.code, 1, run.output)
        self.assertEqual(run.verdicts()["Plain.Passes"], "failed")

    def test_the_targets_own_requirement(self):
        run = self.run_sample("*", WARPYARD_TEST_REQUIRES="sm>=10.0 & gpus>=1")
        self.assertEqual(run.code, 0, run.output)
        self.assertEqual(run.verdicts(), {"target": "skipped"})
        self.assertEqual(run.end["verdict"], "skipped")

    def test_expected_failure_of_the_target(self):
        waiver = "wrong sums, the numerics team, 2999-01-01"
        run = self.run_sample("Plain.Fails:Plain.Passes", WARPYARD_TEST_XFAIL=waiver)
        self.assertEqual(run.code, 0, run.output)
        run = self.run_sample("Plain.Fails", WARPYARD_TEST_XFAIL="wrong, numerics, 2020-01-01")
        self.assertEqual(run.code, 1, run.output)
        run = self.run_sample("Plain.Fails", WARPYARD_TEST_XFAIL="some day")
        self.assertEqual(run.code, 1, run.output)
        self.assertIn("is no waiver", run.output)

    def test_death_tests_of_both_styles(self):
        for style in ("fast", "threadsafe"):
            run = self.run_sample("Plain.Dies", f"--gtest_death_test_style={style}")
            self.assertEqual(run.code, 0, run.output)
            self.assertEqual(run.verdicts(), {"Plain.Dies": "passed"})

    def test_shards(self):
        names: list[str] = []
        for index in range(2):
            run = self.run_sample(
                "Plain.Passes:Requires.*met:Xfail.Elsewhere",
                TEST_TOTAL_SHARDS="2",
                TEST_SHARD_INDEX=str(index),
                GTEST_TOTAL_SHARDS="2",
                GTEST_SHARD_INDEX=str(index),
            )
            self.assertEqual(run.code, 0, run.output)
            self.assertEqual(run.lines[0]["shards"], 2)
            names += run.verdicts()
        self.assertLen(names, 3)
        self.assertLen(set(names), 3)

    def test_a_lane_that_lies(self):
        for gpus, told in (
            (A100, "gpu==h100 found a100; sm==9.0 found 8.0"),
            ("", "gpu==h100 found no GPU"),
            (f"{H100};{H100}", "gpus==1 found 2"),
            ("NVIDIA H100 80GB HBM3 MIG 1g.10gb|9|0|81559", "is a slice of a GPU"),
        ):
            run = self.run_sample("Plain.Passes", WARPYARD_FAKE_GPUS=gpus)
            self.assertEqual(run.code, 75, run.output)
            self.assertIn("lane emulated-h100 is not what it claims to be: ", run.output)
            self.assertIn(told, run.output)
            self.assertEqual(run.end["verdict"], "infrastructure")

    def test_drivers_that_do_not_work(self):
        run = self.run_sample("Plain.Passes", WARPYARD_CUDA_DRIVER="/nowhere/libcuda.so.1")
        self.assertEqual(run.code, 75, run.output)
        self.assertIn("WARPYARD_CUDA_DRIVER=/nowhere/libcuda.so.1 does not load", run.output)
        run = self.run_sample("Plain.Passes", WARPYARD_FAKE_INIT="999")
        self.assertEqual(run.code, 75, run.output)
        self.assertIn("cuInit gave error 999", run.output)
        run = self.run_sample(
            "Plain.Passes",
            WARPYARD_CUDA_DRIVER=os.environ["WARPYARD_TEST_REAL_DRIVER"],
            WARPYARD_EMULATE="h100",
        )
        self.assertEqual(run.code, 75, run.output)
        self.assertIn("a real GPU", run.output)

    def test_a_killed_program_keeps_what_ran(self):
        run = self.run_sample("Plain.Passes:Kills.Itself", SAMPLE_KILLS_ITSELF="1")
        self.assertLess(run.code, 0, run.output)
        self.assertEqual(run.verdicts(), {"Plain.Passes": "passed"})
        self.assertEqual(run.lines[0]["cases"], ["Plain.Passes", "Kills.Itself"])
        self.assertEqual(run.end["kind"], "case")

    def test_waits_for_its_part_of_a_real_gpu(self):
        folder = self.folder / "locks"
        held = gpu_share.acquire(40, folder)
        runs: list[Run] = []

        def start(memory: str) -> threading.Thread:
            thread = threading.Thread(
                target=lambda: runs.append(
                    self.run_sample(
                        "Plain.Passes",
                        WARPYARD_CUDA_DRIVER=os.environ["WARPYARD_TEST_REAL_DRIVER"],
                        WARPYARD_GPU_LOCKS=str(folder),
                        WARPYARD_TEST_MEMORY=memory,
                    )
                )
            )
            thread.start()
            return thread

        # 24 of 64 slots are free: room for 10 GiB, not for 60.
        start("10GiB").join(60)
        self.assertLen(runs, 1)
        waiting = start("60GiB")
        waiting.join(1)
        self.assertTrue(waiting.is_alive())
        for lock in held:
            lock.release()
        waiting.join(60)
        self.assertLen(runs, 2)
        self.assertEqual([run.code for run in runs], [0, 0], [run.output for run in runs])


if __name__ == "__main__":
    absltest.main()
