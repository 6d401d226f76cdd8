// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Asynchronous matrix products of a warpgroup (sm_90a): wgmma.mma_async, fence,
// commit_group, wait_group.
//
// Each warp computes its own 16 rows. Products are made when a wait covers their
// group: shared memory is read then, and the accumulators hold tokens until then
// (pending_rows.h).

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_WGMMA_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_WGMMA_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/emulator/operations/mma_form.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> WgmmaOperations();

// What wgmma.mma_async's modifiers say: shape, types, .sp, .satfinite. m is the 16
// rows of one warp. UNIMPLEMENTED for what is no form of the PTX manual.
absl::StatusOr<MmaForm> ParseWgmmaForm(absl::Span<const std::string_view> modifiers);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_WGMMA_H_
