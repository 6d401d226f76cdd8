// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// cvt to and from two or four values in a register: f16x2 and bf16x2 with all
// roundings, the formats of 8, 6 and 4 bits, ue8m0x2 and s2f6x2; and cvt.pack.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_CONVERT_PACKED_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_CONVERT_PACKED_H_

#include "absl/status/status.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

// Whether one of cvt's types is packed.
bool IsPackedConversion(syntax::ScalarType result, syntax::ScalarType source);

// Decodes a cvt for which IsPackedConversion holds.
absl::Status DecodePackedConversion(DecodeContext& context, const syntax::Instruction& syntax,
                                    Instruction* instruction);

// Decodes cvt.pack.
absl::Status DecodeConvertPack(DecodeContext& context, const syntax::Instruction& syntax,
                               Instruction* instruction);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_CONVERT_PACKED_H_
