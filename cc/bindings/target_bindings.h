// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// GPUs and targets (cc/target) in Python.

#ifndef WARPYARD_CC_BINDINGS_TARGET_BINDINGS_H_
#define WARPYARD_CC_BINDINGS_TARGET_BINDINGS_H_

#include "nanobind/nanobind.h"

namespace warpyard::bindings {

void BindTarget(nanobind::module_& m);

}  // namespace warpyard::bindings

#endif  // WARPYARD_CC_BINDINGS_TARGET_BINDINGS_H_
