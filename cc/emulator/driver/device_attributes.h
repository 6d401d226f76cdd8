// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// CUdevice_attribute of a posed GPU.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_DEVICE_ATTRIBUTES_H_
#define WARPYARD_CC_EMULATOR_DRIVER_DEVICE_ATTRIBUTES_H_

#include <optional>

#include "cc/emulator/device/posed_device.h"
#include "cc/emulator/driver/api.h"

namespace warpyard::emulator::driver {

// nullopt for a number that is no attribute. What the GPU has is the posed
// product's; what the driver can do is the emulator's own: no textures, so that
// their limits are those of the architecture only for programs that print them.
std::optional<int> DeviceAttribute(const PosedDevice& device, CUdevice_attribute attribute);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_DEVICE_ATTRIBUTES_H_
