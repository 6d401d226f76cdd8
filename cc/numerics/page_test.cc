// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The table of formats in docs/numerics.md is so.

#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cc/base/file.h"
#include "cc/numerics/element_type.h"
#include "cc/numerics/small_float.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

// "448", "0x1.fep127" or "2^-9".
double Value(std::string_view text) {
  if (absl::ConsumePrefix(&text, "2^")) return std::ldexp(1, std::atoi(std::string(text).c_str()));
  return std::strtod(std::string(text).c_str(), nullptr);
}

TEST(PageTest, FormatsAreSo) {
  const absl::StatusOr<std::string> page = ReadFile("docs/numerics.md", 1 << 20);
  ASSERT_TRUE(page.ok()) << page.status();
  int formats = 0;
  for (const std::string_view line : absl::StrSplit(*page, '\n')) {
    std::vector<std::string> cells = absl::StrSplit(line, '|');
    if (cells.size() != 7) continue;
    for (std::string& cell : cells) cell = std::string(absl::StripAsciiWhitespace(cell));
    std::string_view name = cells[1];
    if (!absl::ConsumePrefix(&name, "`") || !absl::ConsumeSuffix(&name, "`")) continue;
    const std::optional<ElementType> type = ParseElementType(name);
    ASSERT_TRUE(type.has_value()) << name;
    const FloatFormat format = FormatOf(*type);
    EXPECT_EQ(DecodeFloat(format, format.max_finite()), Value(cells[2])) << name;
    EXPECT_EQ(DecodeFloat(format, format.exponent_only ? 0 : 1), Value(cells[3])) << name;
    EXPECT_EQ(format.has_nan() ? "yes" : "none", cells[4]) << name;
    const double over = DecodeFloat(format, EncodeFloat(format, 1e300));
    EXPECT_EQ(std::isnan(over)   ? "NaN"
              : std::isinf(over) ? "infinity"
                                 : "greatest",
              cells[5])
        << name;
    ++formats;
  }
  EXPECT_EQ(formats, 13);
}

}  // namespace
}  // namespace warpyard
