// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Several PTX modules made one.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_PTX_LINKER_H_
#define WARPYARD_CC_EMULATOR_DRIVER_PTX_LINKER_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace warpyard::emulator::driver {

// One text with the contents of all modules, in order. Names that are a module's
// own (neither .visible nor .weak nor .common) and that another module has too
// are renamed; of a .weak definition the first counts. The highest .version and
// the first .target are taken. A single module is returned as it is.
//
// INVALID_ARGUMENT for what does not parse, with the module's number, and for a
// .visible symbol that two modules define.
absl::StatusOr<std::string> LinkPtx(const std::vector<std::string>& modules);

// The value of the `.target` directive: "sm_90a"; "" where there is none.
std::string_view TargetOf(std::string_view ptx);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_PTX_LINKER_H_
