// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/device/posed_device.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "cc/base/status_macros.h"

namespace warpyard::emulator {
namespace {

PosedDevice MakeDevice(int ordinal, const DeviceSpec& spec) {
  PosedDevice device;
  device.ordinal = ordinal;
  device.spec = &spec;
  device.pci_bus = ordinal + 1;
  constexpr std::string_view kMaker = "warpyard";
  for (size_t i = 0; i < 8; ++i) device.uuid[i] = static_cast<uint8_t>(kMaker[i]);
  // The product in six bytes (FNV-1a of its name), the ordinal in two.
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : spec.name) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  for (size_t i = 0; i < 6; ++i) device.uuid[8 + i] = static_cast<uint8_t>(hash >> (8 * i));
  device.uuid[14] = static_cast<uint8_t>(ordinal >> 8);
  device.uuid[15] = static_cast<uint8_t>(ordinal);
  return device;
}

}  // namespace

std::string PosedDevice::PciBusId() const {
  return absl::StrFormat("%04x:%02x:%02x.0", pci_domain, pci_bus, pci_device);
}

std::string PosedDevice::UuidText() const {
  const std::string hex = absl::BytesToHexString(
      std::string_view(reinterpret_cast<const char*>(uuid.data()), uuid.size()));
  return absl::StrCat("GPU-", hex.substr(0, 8), "-", hex.substr(8, 4), "-", hex.substr(12, 4), "-",
                      hex.substr(16, 4), "-", hex.substr(20));
}

absl::StatusOr<std::vector<PosedDevice>> ParseEmulate(std::string_view text,
                                                      const SpecDatabase& database) {
  text = absl::StripAsciiWhitespace(text);
  if (text.empty()) text = kDefaultDevice;
  std::vector<PosedDevice> devices;
  if (absl::EqualsIgnoreCase(text, "none")) return devices;
  for (std::string_view entry : absl::StrSplit(text, ',')) {
    const std::pair<std::string_view, std::string_view> parts =
        absl::StrSplit(entry, absl::MaxSplits('*', 1));
    int count = 1;
    const std::string_view count_text = absl::StripAsciiWhitespace(parts.second);
    if (absl::StrContains(entry, '*') && (!absl::SimpleAtoi(count_text, &count) || count < 1)) {
      return absl::InvalidArgumentError(
          absl::StrCat(kEmulateVariable, ": \"", entry, "\": \"", count_text,
                       "\" is not a number of devices; expected for example b200*8"));
    }
    WARPYARD_ASSIGN_OR_RETURN(const DeviceSpec* spec,
                              database.FindByName(absl::StripAsciiWhitespace(parts.first)));
    if (count > kMaxDevices - static_cast<int>(devices.size())) {
      return absl::InvalidArgumentError(absl::StrCat(
          kEmulateVariable, ": \"", text, "\" asks for more than ", kMaxDevices, " devices"));
    }
    for (int i = 0; i < count; ++i) {
      devices.push_back(MakeDevice(static_cast<int>(devices.size()), *spec));
    }
  }
  return devices;
}

std::vector<PosedDevice> SelectVisible(std::vector<PosedDevice> devices, std::string_view visible) {
  std::vector<PosedDevice> selected;
  if (absl::StripAsciiWhitespace(visible).empty()) return selected;
  for (std::string_view entry : absl::StrSplit(visible, ',')) {
    entry = absl::StripAsciiWhitespace(entry);
    const PosedDevice* found = nullptr;
    size_t ordinal = 0;
    if (absl::SimpleAtoi(entry, &ordinal)) {
      if (ordinal < devices.size()) found = &devices[ordinal];
    } else if (absl::StartsWith(entry, "GPU-")) {
      for (const PosedDevice& device : devices) {
        if (!absl::StartsWith(device.UuidText(), entry)) continue;
        if (found != nullptr) return selected;  // names two devices
        found = &device;
      }
    }
    if (found == nullptr) break;
    for (const PosedDevice& device : selected) {
      // A device that is named twice leaves none.
      if (device.uuid == found->uuid) return {};
    }
    selected.push_back(*found);
    selected.back().ordinal = static_cast<int>(selected.size()) - 1;
  }
  return selected;
}

}  // namespace warpyard::emulator
