// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// CUDA drivers (cc/driver) in Python: what warpyard's Device, Stream, Kernel and
// arrays are made of.

#ifndef WARPYARD_CC_BINDINGS_DRIVER_BINDINGS_H_
#define WARPYARD_CC_BINDINGS_DRIVER_BINDINGS_H_

#include "nanobind/nanobind.h"

namespace warpyard::bindings {

void BindDriver(nanobind::module_& m);

}  // namespace warpyard::bindings

#endif  // WARPYARD_CC_BINDINGS_DRIVER_BINDINGS_H_
