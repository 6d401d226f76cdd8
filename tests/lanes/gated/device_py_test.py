# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

from absl.testing import absltest

from warpyard import testing


class DeviceTest(absltest.TestCase):
    def test_there_is_one(self):
        self.assertGreaterEqual(testing.machine().devices[0].compute_capability, (9, 0))

    @testing.requires("sm==10.0f")
    def test_family_of_blackwell(self):
        self.assertEqual(testing.machine().devices[0].compute_capability[0], 10)


if __name__ == "__main__":
    absltest.main()
