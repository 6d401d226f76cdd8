// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Names and descriptions of the driver's errors.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_ERROR_TEXT_H_
#define WARPYARD_CC_EMULATOR_DRIVER_ERROR_TEXT_H_

#include "cc/emulator/driver/api.h"

namespace warpyard::emulator::driver {

struct ErrorText {
  CUresult error;
  const char* name;  // "CUDA_ERROR_INVALID_VALUE"
  const char* text;  // "invalid argument"
};

// Null for what is no CUresult of this version.
const ErrorText* FindErrorText(CUresult error);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_ERROR_TEXT_H_
