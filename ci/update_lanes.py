# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Renews the files that are made from ci/lanes.bzl: `./bazelw run //ci:update_lanes`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ci import lane_files


def main() -> int:
    lanes = lane_files.read_lanes(Path(sys.argv[1]))
    root = Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."))
    for name, text in lane_files.contents(lanes, root).items():
        path = root / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"renewed {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
