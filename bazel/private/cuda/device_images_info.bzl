# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What a rule needs to know of compiled device code."""

DeviceImagesInfo = provider(
    doc = "Device code, compiled for a list of targets.",
    fields = {
        "images": "List of structs, in the order in which they are linked into a program: " +
                  "`target` (\"sm_90a\", or \"compute_90a\" for PTX), `kind` (\"cubin\" or \"ptx\"), `file`.",
    },
)
