// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Where the CUDA toolkit is (cc/ptx/cuda_locator.h), in Python.

#ifndef WARPYARD_CC_BINDINGS_TOOLKIT_BINDINGS_H_
#define WARPYARD_CC_BINDINGS_TOOLKIT_BINDINGS_H_

#include "nanobind/nanobind.h"

namespace warpyard::bindings {

void BindToolkit(nanobind::module_& m);

}  // namespace warpyard::bindings

#endif  // WARPYARD_CC_BINDINGS_TOOLKIT_BINDINGS_H_
