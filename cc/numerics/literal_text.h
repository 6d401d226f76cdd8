// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Arrays as HLO text has them: `{ { 1, 2.5 }, { nan, -inf } }` for f32[2,2].

#ifndef WARPYARD_CC_NUMERICS_LITERAL_TEXT_H_
#define WARPYARD_CC_NUMERICS_LITERAL_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/numerics/element_type.h"
#include "cc/numerics/literal.h"

namespace warpyard {

// The text of one value at `element`: `-3`, `true`, `0.1`, `nan(0x1)`, `(1, -2)`.
// Floats have as many digits as tell them from all others of their type.
std::string ElementToString(ElementType type, const void* element);

// The values, without the shape, in row-major order whatever the layout, on one
// line, letter for letter as XLA prints them.
std::string LiteralToString(const Literal& literal);

// Reads the values of a row-major array of the given type and dimensions from the
// front of `text`, and takes them off it. Blanks and comments (/* */) may stand
// between any two words. INVALID_ARGUMENT says what was expected and what was
// found, and `text` then begins where it was found: for braces that do not fit the
// dimensions, values that are out of the type's range, and `{...}`, which stands
// for values that were left out. RESOURCE_EXHAUSTED as for Literal::Create, and
// for an array of more elements than the text has letters.
absl::StatusOr<Literal> ConsumeLiteral(ElementType type, absl::Span<const int64_t> dimensions,
                                       std::string_view& text);

// The same for a text that has nothing else.
absl::StatusOr<Literal> ParseLiteral(ElementType type, absl::Span<const int64_t> dimensions,
                                     std::string_view text);

}  // namespace warpyard

#endif  // WARPYARD_CC_NUMERICS_LITERAL_TEXT_H_
