// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: any text gives an array or a status, and what was read is printed
// so that it reads the same. The first byte chooses the type, the second the
// dimensions.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/statusor.h"
#include "cc/numerics/element_type.h"
#include "cc/numerics/literal.h"
#include "cc/numerics/literal_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpyard;
  if (size < 2) return 0;
  const std::vector<int64_t> shapes[] = {{}, {2}, {2, 3}, {1, 1, 2, 1}, {0}, {3, 0}, {1 << 20, 0}};
  const ElementType type = kElementTypes[data[0] % std::size(kElementTypes)].type;
  const std::vector<int64_t>& dimensions = shapes[data[1] % std::size(shapes)];
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  const absl::StatusOr<Literal> literal = ParseLiteral(type, dimensions, text);
  if (!literal.ok()) {
    CHECK(!literal.status().message().empty());
    return 0;
  }
  const std::string printed = LiteralToString(*literal);
  const absl::StatusOr<Literal> back = ParseLiteral(type, dimensions, printed);
  CHECK(back.ok()) << printed << ": " << back.status();
  CHECK(LiteralToString(*back) == printed) << printed;
  return 0;
}
