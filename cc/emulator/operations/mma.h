// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The warp-level matrix product `mma.sync`, dense, sparse and block-scaled.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_MMA_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_MMA_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/emulator/operations/mma_form.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> MmaOperations();

// The form that an mma's modifiers name ("sync", "aligned", "m16n8k16", "row",
// "col", "f32", …). UNIMPLEMENTED for what is no form of the PTX manual.
absl::StatusOr<MmaForm> ParseMmaForm(absl::Span<const std::string_view> modifiers);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_MMA_H_
