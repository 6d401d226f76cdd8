// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/dot_product.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/vector_regions.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;

WARPYARD_BEGIN_BASELINE
namespace baseline {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/dot_product_rows.inc"
}  // namespace baseline
WARPYARD_END_REGION

#if WARPYARD_HAS_AVX2_REGION
WARPYARD_BEGIN_AVX2
namespace avx2 {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/dot_product_rows.inc"
}  // namespace avx2
WARPYARD_END_REGION
#define WARPYARD_PICK(CALL) (UseAvx2() ? avx2::CALL : baseline::CALL)
#else
#define WARPYARD_PICK(CALL) (baseline::CALL)
#endif

template <bool kFour>
absl::Status Decode(DecodeContext& context, const syntax::Instruction& syntax,
                    Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType a = modifiers.TakeType();
  const ScalarType b = modifiers.TakeType();
  const int part = kFour ? 0 : modifiers.TakeOneOf({"lo", "hi"});
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  const auto known = [](ScalarType t) { return t == ScalarType::kU32 || t == ScalarType::kS32; };
  if (!known(a) || !known(b) || part < 0) return modifiers.Unsupported();
  const bool is_signed = IsSigned(a) || IsSigned(b);
  Form form;
  form.handler = WARPYARD_PICK(Find(kFour, IsSigned(a), IsSigned(b)));
  form.result = is_signed ? ScalarType::kS32 : ScalarType::kU32;
  form.sources = {ScalarType::kB32, ScalarType::kB32, form.result};
  instruction->flags = static_cast<uint32_t>(part);
  return Emit(context, syntax, instruction, form);
}

constexpr Operation kOperations[] = {{"dp2a", &Decode<false>}, {"dp4a", &Decode<true>}};

}  // namespace

absl::Span<const Operation> DotProductOperations() { return kOperations; }

}  // namespace warpyard::emulator
