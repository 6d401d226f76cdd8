// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// NVIDIA's fatbins: containers of PTX and machine code for several
// architectures, compressed or not.
//
// The format is not documented; what is read here was found in files that
// fatbinary and nvcc of CUDA 12 and 13 write, with each of their modes of
// compression.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_FATBIN_H_
#define WARPYARD_CC_EMULATOR_DRIVER_FATBIN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace warpyard::emulator::driver {

inline constexpr std::string_view kFatbinMagic("\x50\xed\x55\xba", 4);

struct FatbinEntry {
  enum class Kind { kPtx, kElf, kOther };
  Kind kind = Kind::kOther;
  int architecture = 0;  // 90
  std::string data;      // decompressed; of kOther: empty
};

// The size that the header at `fatbin` states. INVALID_ARGUMENT for a header
// that is none.
absl::StatusOr<size_t> FatbinSize(const void* fatbin);

// All entries. INVALID_ARGUMENT says where the bytes break the format.
absl::StatusOr<std::vector<FatbinEntry>> ReadFatbin(std::string_view bytes);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_FATBIN_H_
