# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Prints, as JSON, what the Python toolchain needs to know of an interpreter."""

import json
import sys
import sysconfig

print(
    json.dumps(
        {
            # A launcher on PATH (pyenv, a wrapper) may stand before the program.
            "executable": sys.executable,
            # What this Python's extension modules end in: ".cpython-311-x86_64-linux-gnu.so".
            "extension_suffix": sysconfig.get_config_var("EXT_SUFFIX"),
            "include": sysconfig.get_path("include"),
            "major": sys.version_info[0],
            "minor": sys.version_info[1],
            "implementation": sys.implementation.name,
        }
    )
)
