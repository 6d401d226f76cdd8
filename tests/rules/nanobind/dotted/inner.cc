// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A module in a package.

#include "nanobind/nanobind.h"

namespace {

struct Thing {};

}  // namespace

NB_MODULE(_inner, m) { nanobind::class_<Thing>(m, "Thing").def(nanobind::init<>()); }
