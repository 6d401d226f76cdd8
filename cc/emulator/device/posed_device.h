// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Which GPUs the emulated driver poses as.

#ifndef WARPYARD_CC_EMULATOR_DEVICE_POSED_DEVICE_H_
#define WARPYARD_CC_EMULATOR_DEVICE_POSED_DEVICE_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/target/device_spec.h"
#include "cc/target/spec_database.h"

namespace warpyard::emulator {

// One emulated GPU of this process: a product and what tells it from its
// neighbours.
struct PosedDevice {
  int ordinal = 0;
  const DeviceSpec* spec = nullptr;  // not owned; outlives the device
  // The same in every process that poses the same way. The first eight bytes
  // spell "warpyard".
  std::array<uint8_t, 16> uuid{};
  int pci_domain = 0;
  int pci_bus = 0;
  int pci_device = 0;

  // "0000:01:00.0".
  std::string PciBusId() const;
  // "GPU-77617270-7961-7264-...", as nvidia-smi writes it.
  std::string UuidText() const;
  // What the driver gives as the GPU's name: "NVIDIA H100 SXM5 80GB".
  const std::string& name() const { return spec->product_name; }
};

inline constexpr std::string_view kEmulateVariable = "WARPYARD_EMULATE";
inline constexpr std::string_view kDefaultDevice = "h100";
inline constexpr int kMaxDevices = 64;

// Reads the value of WARPYARD_EMULATE: names or aliases of the database,
// separated by commas, each with an optional count: "h100", "b200*8",
// "h100,b200". Empty: one kDefaultDevice; "none": no device.
//
// NOT_FOUND for a GPU that the database does not have, with the nearest name;
// INVALID_ARGUMENT for a count that is none, or for more than kMaxDevices.
absl::StatusOr<std::vector<PosedDevice>> ParseEmulate(std::string_view text,
                                                      const SpecDatabase& database);

// The devices that `visible`, the value of CUDA_VISIBLE_DEVICES, leaves, in its
// order: ordinals or the beginning of a UUID ("GPU-7761..."), separated by
// commas; what follows the first entry that names no device is ignored, as
// NVIDIA's driver does.
std::vector<PosedDevice> SelectVisible(std::vector<PosedDevice> devices, std::string_view visible);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_DEVICE_POSED_DEVICE_H_
