# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""From what a driver calls a GPU to its short name."""

from __future__ import annotations

import re

# Words that a driver's name must have, all of them, and the short name; the first row that fits
# counts. cc/testing/gpu_names.cc has the same rows.
_NAMES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("GB300",), "gb300"),
    (("B300",), "b300"),
    (("GB200",), "gb200"),
    (("B200",), "b200"),
    (("GH200",), "gh200"),
    (("H200",), "h200"),
    (("H100", "PCIe"), "h100-pcie"),
    (("H100",), "h100"),
    (("A100", "40GB"), "a100-40gb"),
    (("A100",), "a100"),
    (("L40S",), "l40s"),
    (("L4",), "l4"),
    (("A10",), "a10"),
    (("T4",), "t4"),
    (("V100",), "v100"),
    (("RTX", "4090"), "rtx4090"),
    (("RTX", "5090"), "rtx5090"),
    (("RTX", "PRO", "6000"), "rtx6000pro"),
    (("GB10",), "spark"),
    (("Thor",), "thor"),
)


def short_name(name: str) -> str:
    """ "h100" of "NVIDIA H100 80GB HBM3"; a name in lower case with dashes of an unknown GPU."""
    words = re.split(r"[- (),]+", name.strip("- (),"))
    for needed, short in _NAMES:
        if all(word in words for word in needed):
            return short
    return "-".join(words).lower()
