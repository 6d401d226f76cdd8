# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

import pytest

from warpyard import testing


def test_there_is_one():
    assert testing.machine().devices[0].compute_capability >= (9, 0)


@pytest.mark.requires("sm==10.0f")
def test_family_of_blackwell():
    assert testing.machine().devices[0].compute_capability[0] == 10
