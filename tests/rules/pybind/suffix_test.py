# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""A pybind11 module's file says which Python it is for."""

import sysconfig
from pathlib import Path

import pybind_side
from absl.testing import absltest


class SuffixTest(absltest.TestCase):
    def test_suffix(self):
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        self.assertEqual(Path(pybind_side.__file__).name, "pybind_side" + suffix)


if __name__ == "__main__":
    absltest.main()
