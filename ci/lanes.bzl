# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Where tests run.

From this list come the platforms of //ci/lanes, the configurations `--config=lane-NAME`, the
workflows of CI and docs/lanes.md: `./bazelw run //ci:update_lanes` renews what is written down.
"""

# buildifier: disable=bzl-visibility
load("//bazel/private/testing:lane.bzl", "check_lanes", "lane")

def _emulated(gpu, rank):
    """A GPU of the emulated driver, on both architectures."""
    return [
        lane(
            name = "emulated-" + gpu,
            default_rank = rank,
            emulated = True,
            gpu = gpu,
            runner = "ubuntu-24.04",
        ),
        lane(
            name = "emulated-{}-arm64".format(gpu),
            arch = "arm64",
            cadence = "day",
            default_rank = rank,
            emulated = True,
            gpu = gpu,
            runner = "ubuntu-24.04-arm",
        ),
    ]

def _hardware(gpu, counts, arch = "x86_64", cadence = "day"):
    """Real GPUs, in machines with so many of them."""
    return [
        lane(
            name = gpu if count == 1 else "{}x{}".format(gpu, count),
            arch = arch,
            cadence = cadence if count == 1 else "week",
            cuda = "13.0",
            cudnn = "9.13",
            driver = "580",
            gpu = gpu,
            gpus = count,
            nccl = "2.28",
            runner = "gpu-{}-{}".format(gpu, count),
        )
        for count in counts
    ]

def _sanitizer(name):
    """C++ tests built with a sanitizer, on an emulated H100."""
    return lane(
        name = name,
        cadence = "day",
        config = name,
        emulated = True,
        gpu = "h100",
        languages = ["cc"],
        runner = "ubuntu-24.04",
    )

LANES = check_lanes(
    # Where no lane was chosen, a test runs on the first of these that it can run on.
    _emulated("h100", 1) +
    _emulated("b200", 2) +
    _emulated("rtx5090", 3) +
    _emulated("a100", 4) +
    _emulated("h200", 5) +
    _hardware("l4", [1]) +
    _hardware("a100", [1, 2, 8]) +
    _hardware("h100", [1, 2, 8], cadence = "change") +
    _hardware("h200", [1, 2, 8]) +
    _hardware("b200", [1, 2, 8], cadence = "change") +
    _hardware("gb200", [1, 2], arch = "arm64") +
    _hardware("rtx5090", [1, 2]) +
    [
        lane(
            name = "windows-rtx5090",
            cadence = "week",
            cuda = "13.0",
            cudnn = "9.13",
            driver = "581",
            driver_mode = "wddm",
            gpu = "rtx5090",
            nccl = "none",
            os = "windows",
            runner = "gpu-windows-rtx5090",
        ),
        lane(
            name = "windows-l4",
            cadence = "week",
            cuda = "13.0",
            cudnn = "9.13",
            driver = "581",
            driver_mode = "tcc",
            gpu = "l4",
            nccl = "none",
            os = "windows",
            runner = "gpu-windows-l4",
        ),
        lane(
            name = "windows",
            os = "windows",
            runner = "windows-2025",
        ),
        lane(
            name = "cpu",
            runner = "ubuntu-24.04",
        ),
        lane(
            name = "cpu-arm64",
            arch = "arm64",
            cadence = "day",
            runner = "ubuntu-24.04-arm",
        ),
        _sanitizer("asan"),
        _sanitizer("tsan"),
        _sanitizer("ubsan"),
    ],
)
