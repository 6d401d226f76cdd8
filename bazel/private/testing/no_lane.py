# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Stands in for a test that no lane can run: a failure unless that is excused."""

from __future__ import annotations

import os
import sys

from warpyard.testing import verdicts, waiver


def verdict(environment: dict[str, str]) -> tuple[str, str]:
    """ "failed" or "never_ran", and why."""
    target = environment.get("WARPYARD_TEST_TARGET", "")
    told = f"{target} requires {environment.get('WARPYARD_TEST_REQUIRES', '')}, which no lane meets"
    if not (text := environment.get("WARPYARD_TEST_WAIVER", "")):
        return verdicts.FAILED, (
            f'{told}. Add a lane, or excuse it: no_lane = "reason, owner, YYYY-MM-DD"'
        )
    excuse = waiver.parse(text)
    if excuse.expired():
        return verdicts.FAILED, f"{told}; the excuse has expired: {excuse}"
    return verdicts.NEVER_RAN, f"{told}: {excuse}"


def main() -> int:
    outcome, reason = verdict(dict(os.environ))
    writer = verdicts.Writer(os.environ)
    writer.run({"target": os.environ.get("WARPYARD_TEST_TARGET", ""), "lane": "", "cases": []})
    writer.case(verdicts.Case("", "target", outcome, reason=reason, message=reason))
    writer.end(verdicts.FAILED if outcome == verdicts.FAILED else verdicts.PASSED, reason)
    print(reason, file=sys.stderr)
    return 1 if outcome == verdicts.FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
