// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The name that a shared library gives itself (ELF: DT_SONAME).

#ifndef WARPYARD_CC_DRIVER_SONAME_H_
#define WARPYARD_CC_DRIVER_SONAME_H_

#include <string>

#include "absl/status/status.h"

namespace warpyard::driver {

// Takes the name out of a library's bytes. The loader hands out a library that
// it has loaded to whoever asks for that name later, so a copy of the emulated
// driver, which is called libcuda.so.1, would stand in for the system's driver in
// all of the process. OK where there is no name; INVALID_ARGUMENT for bytes that
// are no 64-bit ELF file of this machine's byte order.
absl::Status DropSoname(std::string& library);

}  // namespace warpyard::driver

#endif  // WARPYARD_CC_DRIVER_SONAME_H_
