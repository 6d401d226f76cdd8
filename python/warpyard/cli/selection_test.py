# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""--target and --all."""

from absl.testing import absltest, parameterized

from warpyard.cli.selection import all_targets, parse_targets
from warpyard.cli.usage import UsageError


class ParseTargetsTest(parameterized.TestCase):
    def test_names_numbers_and_several_flags(self) -> None:
        found = parse_targets(["h100, sm_120", "9.0"])
        self.assertEqual([target.name for target in found], ["sm_90a", "sm_120", "sm_90"])

    def test_gpus_of_one_target_share_a_column(self) -> None:
        (target,) = parse_targets(["h200,h100,sm_90a"])
        self.assertEqual(target.devices[:2], ("h200", "h100"))
        self.assertIn("gh200", target.devices)

    def test_a_target_older_than_the_database(self) -> None:
        (target,) = parse_targets(["sm_52"])
        self.assertIsNone(target.generation)
        self.assertEqual(target.architecture, "unknown architecture")

    @parameterized.parameters("h10O", "sm_999", "sm_90z", "", ",", "\x00")
    def test_refuses_the_rest(self, text: str) -> None:
        with self.assertRaisesRegex(UsageError, "^--target: "):
            parse_targets([text])


class AllTargetsTest(absltest.TestCase):
    def test_the_native_target_of_each_generation(self) -> None:
        taken, excluded = all_targets("13.5")
        names = [target.name for target in taken]
        self.assertContainsSubset(["sm_75", "sm_80", "sm_90a", "sm_100a", "sm_120a"], names)
        self.assertNotIn("sm_90", names)
        self.assertEqual(taken, sorted(taken, key=lambda target: target.code))
        self.assertEqual([item.target.name for item in excluded], ["sm_70"])
        self.assertIn("12.9", excluded[0].reason)

    def test_an_older_toolkit_takes_the_old_and_not_the_new(self) -> None:
        taken, excluded = all_targets("12.4")
        self.assertIn("sm_70", [target.name for target in taken])
        self.assertIn("sm_100a", [item.target.name for item in excluded])


if __name__ == "__main__":
    absltest.main()
