# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Wrong use of the command."""

from __future__ import annotations


class UsageError(Exception):
    """What the user asked for makes no sense: one line to stderr, exit code 2."""
