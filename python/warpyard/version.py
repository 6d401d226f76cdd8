# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The version of the package; a test holds it against MODULE.bazel."""

__version__ = "0.1.0"
