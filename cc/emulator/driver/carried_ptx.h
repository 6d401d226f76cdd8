// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// CUBINs that carry the PTX they were made of, in a section of their own, so
// that a program which compiles to machine code also runs on the emulated
// driver. NVIDIA's tools and driver pass over the section.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_CARRIED_PTX_H_
#define WARPYARD_CC_EMULATOR_DRIVER_CARRIED_PTX_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace warpyard::emulator::driver {

// The type of the section (in the range for an operating system's own use).
inline constexpr unsigned kCarriedPtxSection = 0x60505458;

// The size of an ELF64 file from its own tables. INVALID_ARGUMENT for a header
// that is none.
absl::StatusOr<size_t> ElfSize(const void* elf);

// The CUBIN with PTX modules added. INVALID_ARGUMENT for what is no ELF64 file.
absl::StatusOr<std::string> CarryPtx(std::string_view cubin,
                                     const std::vector<std::string_view>& modules);

// The PTX modules that it carries; none for a plain CUBIN or broken bytes.
std::vector<std::string> FindCarriedPtx(std::string_view cubin);

// For linked PTX where no machine code is made: an ELF64 file with nothing but
// the PTX.
std::string CubinOfPtx(const std::vector<std::string_view>& modules);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_CARRIED_PTX_H_
