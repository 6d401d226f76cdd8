# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests that say what they need.

    from absl.testing import absltest
    from warpyard import testing

    class AttentionTest(absltest.TestCase):
        @testing.requires("sm>=9.0")
        def test_forward(self):
            if testing.machine().cudnn >= (9, 13): ...

Under pytest the marker `@pytest.mark.requires("sm>=9.0")` does the same.
"""

from warpyard.testing.declarations import RequirementNotMet, require, requires, xfail
from warpyard.testing.machine import Device, Machine, MachineError, machine
from warpyard.testing.requirement import RequirementError

__all__ = [
    "Device",
    "Machine",
    "MachineError",
    "RequirementError",
    "RequirementNotMet",
    "machine",
    "require",
    "requires",
    "xfail",
]
