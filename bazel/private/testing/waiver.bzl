# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What excuses a test: "reason, owner, 2027-01-31"."""

def waiver_error(text):
    """What is wrong with a waiver. Whether it has expired is seen when the test runs.

    Args:
        text: Reason, owner and the last day on which it holds; a reason may have commas.

    Returns:
        A message; None when nothing is wrong.
    """
    wrong = "\"{}\" is no waiver; expected \"reason, owner, YYYY-MM-DD\"".format(text)
    parts = [part.strip() for part in text.rsplit(",", 2)]
    if len(parts) != 3 or not all(parts):
        return wrong
    day = parts[2].split("-")
    if [len(part) for part in day] != [4, 2, 2] or not all([part.isdigit() for part in day]):
        return wrong
    if int(day[1]) not in range(1, 13) or int(day[2]) not in range(1, 32):
        return wrong
    return None
