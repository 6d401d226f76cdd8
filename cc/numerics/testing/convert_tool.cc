// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Converts what comes in to what goes out, so that a test in Python can hold
// small_float.h against ml_dtypes:
//
//   convert_tool encode TYPE ROUNDING SATURATION CONVENTION   f64 in, u32 out
//   convert_tool decode TYPE                                  u32 in, f64 out
//   convert_tool convert TYPE TYPE                            values in, values out

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "cc/numerics/convert.h"
#include "cc/numerics/element_type.h"
#include "cc/numerics/small_float.h"

namespace {

template <typename T>
std::vector<T> ReadAll() {
  std::vector<T> values(1 << 16);
  std::vector<T> all;
  for (size_t count; (count = std::fread(values.data(), sizeof(T), values.size(), stdin)) > 0;) {
    all.insert(all.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return all;
}

template <typename T>
void WriteAll(const std::vector<T>& values) {
  if (std::fwrite(values.data(), sizeof(T), values.size(), stdout) != values.size()) std::exit(3);
}

int Fail(const char* what) {
  std::fprintf(stderr, "convert_tool: %s\n", what);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace warpyard;
  if (argc < 3) return Fail("a command and a type are needed");
  const std::optional<ElementType> type = ParseElementType(argv[2]);
  if (std::string_view(argv[1]) == "convert" && argc == 4) {
    const std::optional<ElementType> to = ParseElementType(argv[3]);
    if (!type.has_value() || !to.has_value()) return Fail("no such type");
    const std::vector<char> from = ReadAll<char>();
    const auto count = static_cast<int64_t>(from.size()) / ByteWidth(*type);
    std::vector<char> result(count * ByteWidth(*to));
    ConvertElements(*type, from.data(), *to, result.data(), count);
    WriteAll(result);
    return 0;
  }
  if (!type.has_value() || !IsFloat(*type) || BitWidth(*type) > 32) return Fail("no such format");
  const FloatFormat format = FormatOf(*type);
  const std::string_view command = argv[1];
  if (command == "decode" && argc == 3) {
    std::vector<double> values;
    for (const uint32_t code : ReadAll<uint32_t>()) values.push_back(DecodeFloat(format, code));
    WriteAll(values);
    return 0;
  }
  if (command != "encode" || argc != 6) return Fail("no such command");
  FloatConversion how;
  const char* const roundings[] = {"even", "away", "zero", "up", "down"};
  int rounding = 0;
  while (rounding < 5 && std::strcmp(argv[3], roundings[rounding]) != 0) ++rounding;
  if (rounding == 5) return Fail("no such rounding");
  how.rounding = static_cast<Rounding>(rounding);
  how.saturation = std::string_view(argv[4]) == "finite" ? Saturation::kFinite : Saturation::kNone;
  how.convention = std::string_view(argv[5]) == "ptx" ? Convention::kPtx : Convention::kXla;
  std::vector<uint32_t> codes;
  for (const double value : ReadAll<double>()) codes.push_back(EncodeFloat(format, value, how));
  WriteAll(codes);
  return 0;
}
