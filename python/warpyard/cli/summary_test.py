# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What stands below the matrix."""

from absl.testing import absltest

from warpyard import errors
from warpyard.cli import summary
from warpyard.cli import testing as fake
from warpyard.cli.occupancy import Launch
from warpyard.cli.outcome import Unit
from warpyard.cli.selection import all_targets
from warpyard.cli.terminal import Style


class SummaryTest(absltest.TestCase):
    def setUp(self) -> None:
        super().setUp()
        self.file = fake.file(requirement="sm>=9.0")
        self.targets = fake.targets("sm_80,h100,b200")
        self.units = [Unit(self.file, target) for target in self.targets]

    def test_legend_names_gpus_skips_and_what_is_left_out(self) -> None:
        _, excluded = all_targets("13.5")
        outcomes = fake.outcomes(fake.skipped(self.units[0]), fake.compiled(self.units[1]))
        lines = summary.legend(
            self.targets, excluded, outcomes, Launch(), {self.file: "saxpy.cu"}, 100
        )
        text = "\n".join(lines)
        self.assertIn("sm_90a: Hopper (h100, ", text)
        self.assertIn("– saxpy.cu requires sm>=9.0", text)
        self.assertRegex(text, r"Left out: sm_70 \(v100\): (.|\n)*12.9")
        self.assertLessEqual(max(map(len, lines)), 100)

    def test_failures_that_targets_share_are_told_once(self) -> None:
        def error(target: str) -> errors.Error:
            return errors.InvalidArgumentError(f"not for {target}", "k.cu(3): error: no y\n^\n")

        other = errors.UnimplementedError("sm_90a is too new")
        lines = summary.failures(
            fake.outcomes(
                fake.failed(self.units[0], error("sm_80")),
                fake.failed(self.units[1], other),
                fake.failed(self.units[2], error("sm_100a")),
            ),
            Style(),
        )
        self.assertEqual(lines[0], "✗ saxpy.cu for sm_80, sm_100a:")
        self.assertEqual(
            lines[1:4], ["    not for the target", "    k.cu(3): error: no y", "    ^"]
        )
        self.assertEqual(lines[4:], ["✗ saxpy.cu for sm_90a:", "    sm_90a is too new"])

    def test_a_log_that_the_message_quotes_is_not_repeated(self) -> None:
        error = errors.InvalidArgumentError("k.cu(3): error: no y", "k.cu(3): error: no y\n")
        lines = summary.failures(fake.outcomes(fake.failed(self.units[0], error)), Style())
        self.assertLen(lines, 2)

    def test_warnings(self) -> None:
        outcomes = fake.outcomes(
            *(fake.compiled(unit, warnings=["unused x"]) for unit in self.units)
        )
        self.assertEqual(
            summary.warnings(outcomes, Style()),
            ["warning: saxpy.cu for sm_80, sm_90a, sm_100a:", "    unused x"],
        )

    def test_totals(self) -> None:
        outcomes = fake.outcomes(
            fake.compiled(self.units[0], from_cache=True), fake.skipped(self.units[1])
        )
        self.assertEqual(
            summary.totals(outcomes, 3, 1.25, 2),
            "1 compiled (1 from the cache), 1 skipped, 0 failed, 1 not begun in 1.2 s "
            "with 2 workers",
        )


if __name__ == "__main__":
    absltest.main()
