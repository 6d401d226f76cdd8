# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""`python -m warpyard`."""

import sys

from warpyard.cli.main import main

sys.exit(main())
