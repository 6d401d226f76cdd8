// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// CUDA's printf: the format string and the argument buffer that vprintf gets.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_PRINT_FORMAT_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_PRINT_FORMAT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace warpyard::emulator {

// Formats as CUDA does (CUDA C++ Programming Guide, "Formatted Output"):
// %[flags][width][.precision][size]type with the flags # space 0 + -, * for
// width and precision, the sizes hh h l ll z t j, the types % c s d i o u x X p e E
// f F g G a A. Arguments lie in the buffer in order, ints with 4 bytes, long,
// pointers and double with 8, each aligned to its size; at most 32 are read.
//
// `read(offset, bytes)` gives an argument's bits, nullopt where that faults;
// `text(address)` a zero-terminated string. nullopt is handed on. *arguments is
// set to how many were read.
std::optional<std::string> FormatPrint(
    std::string_view format,
    const std::function<std::optional<uint64_t>(uint64_t offset, uint32_t bytes)>& read,
    const std::function<std::optional<std::string>(uint64_t address)>& text, int* arguments);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_PRINT_FORMAT_H_
