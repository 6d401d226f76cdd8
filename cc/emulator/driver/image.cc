// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/image.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/driver/carried_ptx.h"
#include "cc/emulator/driver/fatbin.h"
#include "cc/emulator/driver/ptx_linker.h"

namespace warpyard::emulator::driver {
namespace {

constexpr std::string_view kElfMagic("\177ELF", 4);

absl::Status OnlyMachineCode() {
  return absl::FailedPreconditionError(
      "the image has machine code (CUBIN) and no PTX, and the emulated driver executes PTX: "
      "compile to PTX, or add PTX to the fatbin (nvcc -gencode arch=compute_90,code=compute_90)");
}

}  // namespace

absl::StatusOr<size_t> ImageSize(const void* image) {
  const char* const bytes = static_cast<const char*>(image);
  if (std::memcmp(bytes, kFatbinMagic.data(), 1) == 0 &&
      std::memcmp(bytes, kFatbinMagic.data(), kFatbinMagic.size()) == 0) {
    return FatbinSize(image);
  }
  if (bytes[0] == kElfMagic[0] && std::memcmp(bytes, kElfMagic.data(), kElfMagic.size()) == 0) {
    return ElfSize(image);
  }
  const size_t length = std::strlen(bytes);
  if (length == 0) return absl::InvalidArgumentError("the image is empty");
  return length;
}

absl::StatusOr<std::vector<std::string>> FindPtx(std::string_view image,
                                                 const ComputeCapability& device) {
  if (absl::StartsWith(image, kElfMagic)) {
    std::vector<std::string> carried = FindCarriedPtx(image);
    if (carried.empty()) return OnlyMachineCode();
    return carried;
  }
  if (absl::StartsWith(image, kFatbinMagic)) {
    WARPYARD_ASSIGN_OR_RETURN(const std::vector<FatbinEntry> entries, ReadFatbin(image));
    const FatbinEntry* best = nullptr;
    ComputeCapability best_target;
    bool any_ptx = false;
    for (const FatbinEntry& entry : entries) {
      if (entry.kind == FatbinEntry::Kind::kElf) {
        // Machine code that carries its PTX is as good as PTX.
        std::vector<std::string> carried = FindCarriedPtx(entry.data);
        if (!carried.empty() && entry.architecture == device.major() * 10 + device.minor()) {
          return carried;
        }
      }
      if (entry.kind != FatbinEntry::Kind::kPtx) continue;
      any_ptx = true;
      const absl::StatusOr<ComputeCapability> target =
          ComputeCapability::Parse(TargetOf(entry.data));
      if (!target.ok() || !CanRun(*target, device, CodeKind::kPtx)) continue;
      if (best == nullptr || best_target < *target) {
        best = &entry;
        best_target = *target;
      }
    }
    if (best != nullptr) return std::vector<std::string>{best->data};
    if (!any_ptx) return OnlyMachineCode();
    return absl::FailedPreconditionError(absl::StrCat(
        "the fatbin has PTX, but none for compute capability ", device.ToString(), " or below"));
  }
  const std::string_view text = image.substr(0, image.find('\0'));
  if (!absl::StrContains(text, ".version")) {
    return absl::InvalidArgumentError("the image is neither PTX, nor a fatbin, nor a CUBIN");
  }
  return std::vector<std::string>{std::string(text)};
}

}  // namespace warpyard::emulator::driver
