// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The compiler (cc/ptx) in Python.

#ifndef WARPYARD_CC_BINDINGS_COMPILE_BINDINGS_H_
#define WARPYARD_CC_BINDINGS_COMPILE_BINDINGS_H_

#include "nanobind/nanobind.h"

namespace warpyard::bindings {

void BindCompile(nanobind::module_& m);

}  // namespace warpyard::bindings

#endif  // WARPYARD_CC_BINDINGS_COMPILE_BINDINGS_H_
