// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Functions of compiler libraries that a program looks up, and what it gets
// instead, so that the CUBINs that it makes carry their PTX along.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_PRELOAD_SYMBOLS_H_
#define WARPYARD_CC_EMULATOR_DRIVER_PRELOAD_SYMBOLS_H_

#include <string>
#include <string_view>

namespace warpyard::emulator::preload {

// glibc's own dlsym.
void* RealSymbol(void* handle, const char* name);

// What to give for `name`, which is `real` in the library of `handle`; null: the
// function itself. They note where the library's other functions are.
void* ReplaceNvrtc(void* handle, std::string_view name, void* real);
void* ReplaceNvjitlink(void* handle, std::string_view name, void* real);

}  // namespace warpyard::emulator::preload

#endif  // WARPYARD_CC_EMULATOR_DRIVER_PRELOAD_SYMBOLS_H_
