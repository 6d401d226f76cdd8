// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Device memory as DLPack tensors, from and to other Python packages.

#ifndef WARPYARD_CC_BINDINGS_DLPACK_BINDINGS_H_
#define WARPYARD_CC_BINDINGS_DLPACK_BINDINGS_H_

#include "nanobind/nanobind.h"

namespace warpyard::bindings {

void BindDlpack(nanobind::module_& m);

}  // namespace warpyard::bindings

#endif  // WARPYARD_CC_BINDINGS_DLPACK_BINDINGS_H_
