// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// CUfunction_attribute of a kernel.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_FUNCTION_ATTRIBUTES_H_
#define WARPYARD_CC_EMULATOR_DRIVER_FUNCTION_ATTRIBUTES_H_

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/device.h"
#include "cc/emulator/driver/module.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator::driver {

// CUDA_ERROR_INVALID_VALUE for what is no attribute. The count of registers is
// an estimate: no machine code is made.
CUresult GetFunctionAttribute(const Function& function, const Program& program,
                              const FunctionSettings& settings, const Device& device,
                              CUfunction_attribute attribute, int* value);

// CUDA_ERROR_INVALID_VALUE for attributes that cannot be set, and values beyond
// what the GPU has.
CUresult SetFunctionAttribute(const Function& function, const Generation& generation,
                              CUfunction_attribute attribute, int value,
                              FunctionSettings& settings);

// The registers per thread that occupancy is computed with.
int RegistersPerThread(const Function& function);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_FUNCTION_ATTRIBUTES_H_
