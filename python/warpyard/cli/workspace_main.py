# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""`./bazelw run //:warpyard`: the command, in the folder that it was called from."""

import os
import sys

from warpyard.cli.main import main

if __name__ == "__main__":
    # `bazel run` starts programs in their own folder and says here where the user is.
    if folder := os.environ.get("BUILD_WORKING_DIRECTORY"):
        os.chdir(folder)
    sys.exit(main())
