# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests that are gated by hardware.

```starlark
load("//bazel:gpu_test.bzl", "gpu_test")

gpu_test(
    name = "wgmma_test",
    srcs = ["wgmma_test.cc"],
    requires = "sm==9.0a",
)
```

`wgmma_test.LANE` runs it on a lane, `wgmma_test` on all lanes of the platform at hand. A
workspace with lanes of its own makes its macros with `make_gpu_tests` and its platforms with
`lane_platforms`.
"""

load("@local_gpu//:gpus.bzl", "LOCAL_GPUS")
load("//bazel/private/testing:gpu_test.bzl", _make_gpu_tests = "make_gpu_tests")
load("//bazel/private/testing:lane.bzl", _check_lanes = "check_lanes", _lane = "lane", _local_lane = "local_lane")
load("//bazel/private/testing:lane_platforms.bzl", _lane_platforms = "lane_platforms")
load("//bazel/private/testing:lane_test.bzl", _LaneTestInfo = "LaneTestInfo")
load("//ci:lanes.bzl", _LANES = "LANES")

LANES = _LANES

# The lane `local` where this machine has a GPU; to be put behind one's own lanes.
LOCAL_LANES = [_local_lane(LOCAL_GPUS)] if LOCAL_GPUS else []
LaneTestInfo = _LaneTestInfo
check_lanes = _check_lanes
lane = _lane
lane_platforms = _lane_platforms
make_gpu_tests = _make_gpu_tests

_tests = make_gpu_tests(LANES + LOCAL_LANES, str(Label("//ci/lanes:all")).rpartition(":")[0])

gpu_test = _tests.gpu_test
gpu_py_test = _tests.gpu_py_test
