# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""A package around an extension module, as most packages are."""

from dotted._inner import Thing

__all__ = ["Thing"]
