# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What lanes say of GPUs. A test holds the figures against cc/target/specs."""

def _gpu(sm, memory, reported):
    return struct(
        sm = sm,
        # The product's, which an emulated GPU has to the byte.
        memory = memory,
        # What is left of it for programs on a real one, by `nvidia-smi`.
        reported = reported,
    )

GPUS = {
    "a100": _gpu("8.0", "80GiB", "81920MiB"),
    "b200": _gpu("10.0", "180GiB", "183359MiB"),
    "gb200": _gpu("10.0", "186GiB", "189471MiB"),
    "h100": _gpu("9.0", "80GiB", "81559MiB"),
    "h200": _gpu("9.0", "141GiB", "143771MiB"),
    "l4": _gpu("8.9", "24GiB", "23034MiB"),
    "rtx5090": _gpu("12.0", "32GiB", "32607MiB"),
}

# Words that a driver's name must have, all of them, and the short name; the first row that fits
# counts. python/warpyard/testing/gpu_names.py and cc/testing/gpu_names.cc have the same rows.
_NAMES = [
    (["GB300"], "gb300"),
    (["B300"], "b300"),
    (["GB200"], "gb200"),
    (["B200"], "b200"),
    (["GH200"], "gh200"),
    (["H200"], "h200"),
    (["H100", "PCIe"], "h100-pcie"),
    (["H100"], "h100"),
    (["A100", "40GB"], "a100-40gb"),
    (["A100"], "a100"),
    (["L40S"], "l40s"),
    (["L4"], "l4"),
    (["A10"], "a10"),
    (["T4"], "t4"),
    (["V100"], "v100"),
    (["RTX", "4090"], "rtx4090"),
    (["RTX", "5090"], "rtx5090"),
    (["RTX", "PRO", "6000"], "rtx6000pro"),
    (["GB10"], "spark"),
    (["Thor"], "thor"),
]

def short_gpu_name(name):
    """From what a driver calls a GPU to its short name.

    Args:
        name: Such as "NVIDIA H100 80GB HBM3".

    Returns:
        Such as "h100"; a name in lower case with dashes of a GPU that is not known.
    """
    for mark in ["-", "(", ")", ","]:
        name = name.replace(mark, " ")
    words = [word for word in name.split(" ") if word]
    for needed, short in _NAMES:
        if all([word in words for word in needed]):
            return short
    return "-".join(words).lower()
