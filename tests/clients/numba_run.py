# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Runs one module of numba-cuda's own tests, and prints the verdicts as one line of JSON.

A program of its own: a fault on the device ends a process's context, as on a GPU, and the next
module must not inherit that.
"""

from __future__ import annotations

import json
import sys
import unittest


class Verdicts(unittest.TestResult):
    """A result that remembers what passed too."""

    def __init__(self) -> None:
        super().__init__()
        self.passed: list[str] = []

    def addSuccess(self, test: unittest.TestCase) -> None:
        super().addSuccess(test)
        self.passed.append(test.id())


def main(module: str) -> int:
    verdicts = Verdicts()
    unittest.defaultTestLoader.loadTestsFromName(f"numba.cuda.tests.{module}").run(verdicts)
    failed = {test.id(): why for test, why in verdicts.failures + verdicts.errors}
    summary = {
        "passed": sorted(verdicts.passed),
        "failed": {name: failed[name].splitlines()[-1] for name in sorted(failed)},
        "skipped": sorted(test.id() for test, _ in verdicts.skipped),
        "expected_failures": sorted(test.id() for test, _ in verdicts.expectedFailures),
    }
    print("\n" + json.dumps(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
