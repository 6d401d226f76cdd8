// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The extension module warpyard._warpyard: everything that Python needs of the
// C++ libraries. The package warpyard re-exports what users see.

#include "cc/bindings/compile_bindings.h"
#include "cc/bindings/dlpack_bindings.h"
#include "cc/bindings/driver_bindings.h"
#include "cc/bindings/target_bindings.h"
#include "cc/bindings/toolkit_bindings.h"
#include "nanobind/nanobind.h"

NB_MODULE(_warpyard, m) {
  m.doc() = "Warpyard's C++ libraries. Import warpyard instead.";
  warpyard::bindings::BindTarget(m);
  warpyard::bindings::BindCompile(m);
  warpyard::bindings::BindToolkit(m);
  warpyard::bindings::BindDriver(m);
  warpyard::bindings::BindDlpack(m);
}
