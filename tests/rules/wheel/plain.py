# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""A module of a wheel without extension modules."""
