# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Formats every file, and mends what the linters can mend."""

import sys

from tools.lint import checks

if __name__ == "__main__":
    sys.exit(checks.main(sys.argv[1:], fix=True))
