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
