# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Holds CUDA sources against the targets that they are to be compiled for.

A source says what it needs in lines `// warpyard-requires: sm>=9.0`. Without
this, a compiler would refuse it too, in its own words and after some seconds.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from warpyard.testing import requirement


def misfits(path: Path, targets: list[str], library: str) -> list[str]:
    """One message for each target that the source at `path` is not made for."""
    try:
        needed = requirement.find_in_source(path.read_text(encoding="utf-8"))
    except (requirement.RequirementError, UnicodeDecodeError) as error:
        return [f"{path}: {error}"]
    return [
        f"{path} requires {needed}, which {target} does not meet. Leave {target} out of the "
        f"targets of {library}, or move the source to a library without it."
        for target in targets
        if not needed.met_by_target(requirement.parse_target(target))
    ]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", required=True, help="label of the library, for messages")
    parser.add_argument("--target", action="append", required=True, help="such as sm_90a")
    parser.add_argument("--stamp", required=True, type=Path, help="file to write when all fits")
    parser.add_argument("sources", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    messages = [
        message
        for source in options.sources
        for message in misfits(source, options.target, options.library)
    ]
    if messages:
        print("\n".join(messages), file=sys.stderr)
        return 1
    options.stamp.write_bytes(b"")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
