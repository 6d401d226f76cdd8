// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Video instructions (PTX ISA, "Scalar Video Instructions" and "SIMD Video
// Instructions"): arithmetic on bytes and halves of registers.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_VIDEO_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_VIDEO_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

// vadd vsub vabsdiff vmin vmax vshl vshr vmad vset, and vadd2 … vset2, vadd4 … vset4.
absl::Span<const Operation> VideoOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_VIDEO_H_
