# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What excuses a test: a reason, somebody who cares, and a last day."""

from __future__ import annotations

import dataclasses
import datetime


@dataclasses.dataclass(frozen=True)
class Waiver:
    """Why a test may fail or run nowhere, and until when (that day included, UTC)."""

    reason: str
    owner: str
    expires: datetime.date

    def expired(self, today: datetime.date | None = None) -> bool:
        """Whether its last day is over."""
        return (today or datetime.datetime.now(datetime.timezone.utc).date()) > self.expires

    def __str__(self) -> str:
        return f"{self.reason}, {self.owner}, {self.expires.isoformat()}"


def parse(text: str) -> Waiver:
    """Reads "reason, owner, YYYY-MM-DD"; a reason may have commas.

    Raises:
        ValueError: Naming the text and the form.
    """
    parts = [part.strip() for part in text.rsplit(",", 2)]
    try:
        if len(parts) != 3 or not all(parts):
            raise ValueError
        return Waiver(parts[0], parts[1], datetime.date.fromisoformat(parts[2]))
    except ValueError:
        raise ValueError(f'"{text}" is no waiver; expected "reason, owner, YYYY-MM-DD"') from None
