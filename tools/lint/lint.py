# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Checks formats, style and types of every file. Changes nothing."""

import sys

from tools.lint import checks

if __name__ == "__main__":
    sys.exit(checks.main(sys.argv[1:], fix=False))
