// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/numerics/literal_text.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/charconv.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/numerics/convert.h"
#include "cc/numerics/element_type.h"
#include "cc/numerics/literal.h"
#include "cc/numerics/small_float.h"

namespace warpyard {
namespace {

// NaNs carry bits besides the sign only in the wide IEEE formats; 0 for the others.
int PayloadBits(ElementType type) {
  switch (type) {
    case ElementType::kF16:
    case ElementType::kBF16:
    case ElementType::kF32:
      return FormatOf(type).mantissa_bits;
    case ElementType::kF64:
      return 52;
    default:
      return 0;
  }
}

uint64_t ReadBits(ElementType type, const void* element) {
  uint64_t bits = 0;
  switch (ByteWidth(type)) {
    case 1:
      return *static_cast<const uint8_t*>(element);
    case 2: {
      uint16_t half;
      std::memcpy(&half, element, sizeof(half));
      return half;
    }
    case 4: {
      uint32_t word;
      std::memcpy(&word, element, sizeof(word));
      return word;
    }
    default:
      std::memcpy(&bits, element, sizeof(bits));
      return bits;
  }
}

// The fewest digits of those that XLA tries that lead back to the value.
std::string FloatToString(ElementType type, const void* element) {
  const double value = ReadDouble(type, element);
  if (std::isnan(value)) {
    const int payload_bits = PayloadBits(type);
    const uint64_t bits = ReadBits(type, element);
    const bool has_sign = type != ElementType::kF8E8M0FNU;
    const char* const sign = has_sign && (bits >> (BitWidth(type) - 1) & 1) != 0 ? "-" : "";
    if (payload_bits == 0) {
      return absl::StrCat(sign, "nan");
    }
    const uint64_t payload = bits & ((uint64_t{1} << payload_bits) - 1);
    if (payload == uint64_t{1} << (payload_bits - 1)) return absl::StrCat(sign, "nan");
    return absl::StrCat(sign, "nan(0x", absl::Hex(payload), ")");
  }
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (type == ElementType::kF32) {
    std::string text = absl::StrFormat("%.6g", value);
    if (std::strtof(text.c_str(), nullptr) != static_cast<float>(value)) {
      text = absl::StrFormat("%.9g", value);
    }
    return text;
  }
  if (type == ElementType::kF64) {
    std::string text = absl::StrFormat("%.15g", value);
    if (std::strtod(text.c_str(), nullptr) != value) text = absl::StrFormat("%.17g", value);
    return text;
  }
  // Digits that tell apart all numbers with a mantissa of so many bits: 1 + ceil(p log10(2)).
  const int mantissa = FormatOf(type).mantissa_bits + 1;
  return absl::StrFormat("%.*g", 1 + (mantissa * 30103 + 99999) / 100000, value);
}

void AppendValues(const Literal& literal, size_t dimension, int64_t offset, std::string& out) {
  const std::vector<int64_t>& dimensions = literal.dimensions();
  const int64_t size = dimensions[dimension];
  const int64_t stride = literal.strides()[dimension];
  const bool innermost = dimension + 1 == dimensions.size();
  const bool spaced = innermost ? dimensions.size() > 1 && size > 1 : true;
  if (spaced) out += ' ';
  for (int64_t i = 0; i < size; ++i) {
    if (i > 0) out += ", ";
    const int64_t at = offset + i * stride;
    if (innermost) {
      // As XLA has them, true and false are words only where they stand alone.
      out += IsPred(literal.element_type())
                 ? (*literal.At(at) != 0 ? "1" : "0")
                 : ElementToString(literal.element_type(), literal.At(at));
      continue;
    }
    out += '{';
    if (dimensions.size() > 3 && dimension + 2 < dimensions.size()) {
      absl::StrAppend(&out, " /*i", dimension, "=", i, "*/");
    }
    AppendValues(literal, dimension + 1, at, out);
    out += '}';
  }
  if (spaced) out += ' ';
}

class Reader {
 public:
  Reader(ElementType type, std::string_view text) : type_(type), text_(text) {}

  std::string_view rest() const { return text_; }

  absl::Status Read(Literal& literal) {
    if (literal.element_count() == 0 && TakeEmptyBraces()) return absl::OkStatus();
    return ReadNested(literal, 0);
  }

 private:
  // Blanks and comments.
  void Skip() {
    while (!text_.empty()) {
      if (absl::ascii_isspace(text_[0])) {
        text_.remove_prefix(1);
      } else if (absl::StartsWith(text_, "/*")) {
        const size_t end = text_.find("*/", 2);
        text_.remove_prefix(end == text_.npos ? text_.size() : end + 2);
      } else {
        return;
      }
    }
  }

  bool Consume(char c) {
    Skip();
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool TakeEmptyBraces() {
    const std::string_view before = text_;
    if (Consume('{') && Consume('}')) return true;
    text_ = before;
    return false;
  }

  absl::Status Expected(std::string_view what) {
    Skip();
    const std::string_view found = text_.substr(0, 20);
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", what, " of ", ElementTypeName(type_), ", found ",
                     found.empty() ? "the end" : absl::StrCat("'", absl::CHexEscape(found), "'")));
  }

  absl::Status ReadNested(Literal& literal, size_t dimension) {
    if (dimension == literal.dimensions().size()) return ReadElement(literal.At(next_++));
    if (!Consume('{')) return Expected("'{'");
    Skip();
    if (absl::StartsWith(text_, "...")) {
      return absl::InvalidArgumentError(
          "the values are left out ('{...}'): print the program with its large constants");
    }
    for (int64_t i = 0; i < literal.dimensions()[dimension]; ++i) {
      if (i > 0 && !Consume(',')) {
        return Expected(absl::StrCat("',' and value ", i + 1, " of the ",
                                     literal.dimensions()[dimension], " in dimension ", dimension));
      }
      WARPYARD_RETURN_IF_ERROR(ReadNested(literal, dimension + 1));
    }
    if (!Consume('}')) {
      return Expected(absl::StrCat("'}' after the ", literal.dimensions()[dimension],
                                   " values in dimension ", dimension));
    }
    return absl::OkStatus();
  }

  // The letters up to what ends a value.
  std::string_view TakeWord() {
    Skip();
    size_t size = 0;
    while (size < text_.size() && (absl::ascii_isalnum(text_[size]) || text_[size] == '.' ||
                                   text_[size] == '-' || text_[size] == '+')) {
      ++size;
    }
    const std::string_view word = text_.substr(0, size);
    text_.remove_prefix(size);
    return word;
  }

  absl::Status ReadElement(char* element) {
    if (IsComplex(type_)) {
      const ElementType part = ComponentType(type_);
      if (!Consume('(')) {  // a real number
        WARPYARD_RETURN_IF_ERROR(ReadFloat(part, element));
        return absl::OkStatus();
      }
      WARPYARD_RETURN_IF_ERROR(ReadFloat(part, element));
      if (!Consume(',')) return Expected("',' in a complex number");
      WARPYARD_RETURN_IF_ERROR(ReadFloat(part, element + ByteWidth(part)));
      return Consume(')') ? absl::OkStatus() : Expected("')' of a complex number");
    }
    if (IsFloat(type_)) return ReadFloat(type_, element);
    const std::string_view before = text_;
    const std::string_view word = TakeWord();
    if (IsPred(type_)) {
      if (word == "true" || word == "1") {
        *element = 1;
      } else if (word == "false" || word == "0") {
        *element = 0;
      } else {
        text_ = before;
        return Expected("true or false");
      }
      return absl::OkStatus();
    }
    const int bits = BitWidth(type_);
    bool good;
    int64_t value = 0;
    if (IsSigned(type_)) {
      good = absl::SimpleAtoi(word, &value) &&
             (bits == 64 ||
              (value >= -(int64_t{1} << (bits - 1)) && value < int64_t{1} << (bits - 1)));
    } else {
      uint64_t magnitude = 0;
      good = absl::SimpleAtoi(word, &magnitude) && (bits == 64 || magnitude >> bits == 0);
      value = static_cast<int64_t>(magnitude);
    }
    if (!good) {
      text_ = before;
      return Expected("an integer in the range");
    }
    WriteInt64(type_, element, value);
    return absl::OkStatus();
  }

  absl::Status ReadFloat(ElementType type, char* element) {
    const std::string_view before = text_;
    std::string_view word = TakeWord();
    std::string_view digits = word;
    const bool negative = absl::ConsumePrefix(&digits, "-");
    if (!negative) absl::ConsumePrefix(&digits, "+");
    if (digits == "nan") return ReadNan(type, negative, element);
    double value = 0;
    bool good = !digits.empty() && digits[0] != '-' && digits[0] != '+';
    bool infinite = false;
    if (digits == "inf" || digits == "infinity") {
      value = std::numeric_limits<double>::infinity();
      infinite = true;
    } else if (good) {
      const absl::from_chars_result result =
          absl::from_chars(digits.data(), digits.data() + digits.size(), value);
      // A number too small for a double is 0; one too great is refused below.
      const bool small = result.ec == std::errc::result_out_of_range && value < 1;
      good = result.ptr == digits.data() + digits.size() && (result.ec == std::errc() || small) &&
             std::isfinite(value);
    }
    if (!good) {
      text_ = before;
      return Expected("a number");
    }
    WriteDouble(type, element, negative ? -value : value);
    const double written = ReadDouble(type, element);
    const bool held = std::isfinite(value) ? std::isfinite(written) : std::isinf(written);
    if (!held || (infinite && !std::isinf(written))) {
      text_ = before;
      return Expected("a number in the range");
    }
    return absl::OkStatus();
  }

  absl::Status ReadNan(ElementType type, bool negative, char* element) {
    WriteDouble(type, element,
                std::copysign(std::numeric_limits<double>::quiet_NaN(), negative ? -1.0 : 1.0));
    if (!std::isnan(ReadDouble(type, element))) return Expected("a number instead of NaN");
    if (!Consume('(')) return absl::OkStatus();
    std::string_view word = TakeWord();
    uint64_t payload = 0;
    if (!absl::ConsumePrefix(&word, "0x") || !absl::SimpleHexAtoi(word, &payload) ||
        !Consume(')')) {
      return Expected("the bits of a NaN, as in nan(0x1),");
    }
    const int payload_bits = PayloadBits(type);
    if (payload_bits == 0) return absl::OkStatus();
    if (payload == 0 || payload >> payload_bits != 0) {
      return Expected(absl::StrCat("bits of a NaN between 1 and 2^", payload_bits, " - 1,"));
    }
    const uint64_t mask = (uint64_t{1} << payload_bits) - 1;
    const uint64_t bits = (ReadBits(type, element) & ~mask) | payload;
    if (type == ElementType::kF64) {
      std::memcpy(element, &bits, 8);
    } else if (type == ElementType::kF32) {
      const auto word32 = static_cast<uint32_t>(bits);
      std::memcpy(element, &word32, 4);
    } else {
      const auto half = static_cast<uint16_t>(bits);
      std::memcpy(element, &half, 2);
    }
    return absl::OkStatus();
  }

  const ElementType type_;
  std::string_view text_;
  int64_t next_ = 0;
};

}  // namespace

std::string ElementToString(ElementType type, const void* element) {
  if (IsPred(type)) return *static_cast<const uint8_t*>(element) != 0 ? "true" : "false";
  if (IsComplex(type)) {
    const ElementType part = ComponentType(type);
    const char* const imaginary = static_cast<const char*>(element) + ByteWidth(part);
    return absl::StrCat("(", FloatToString(part, element), ", ", FloatToString(part, imaginary),
                        ")");
  }
  if (IsFloat(type)) return FloatToString(type, element);
  const int64_t value = ReadInt64(type, element);
  return type == ElementType::kU64 ? absl::StrCat(static_cast<uint64_t>(value))
                                   : absl::StrCat(value);
}

std::string LiteralToString(const Literal& literal) {
  if (literal.rank() == 0) return ElementToString(literal.element_type(), literal.At(0));
  // Of an array without elements the outer braces alone could be more than memory holds.
  if (literal.element_count() == 0) {
    double braces = 1;
    for (const int64_t size : literal.dimensions()) braces *= size == 0 ? 1 : size;
    if (braces > 1 << 16) return "{}";
  }
  std::string out = "{";
  AppendValues(literal, 0, 0, out);
  out += '}';
  return out;
}

absl::StatusOr<Literal> ConsumeLiteral(ElementType type, absl::Span<const int64_t> dimensions,
                                       std::string_view& text) {
  // Memory is taken for no more than what the text can hold: an element takes a letter
  // and what divides it from the next one.
  double elements = 1;
  for (const int64_t size : dimensions) elements *= static_cast<double>(size);
  if (elements > static_cast<double>(text.size())) {
    return absl::ResourceExhaustedError(
        absl::StrCat("an array of ", elements, " elements is more than the text can hold"));
  }
  WARPYARD_ASSIGN_OR_RETURN(Literal literal, Literal::Create(type, dimensions));
  Reader reader(type, text);
  const absl::Status status = reader.Read(literal);
  text = reader.rest();
  if (!status.ok()) return status;
  return literal;
}

absl::StatusOr<Literal> ParseLiteral(ElementType type, absl::Span<const int64_t> dimensions,
                                     std::string_view text) {
  WARPYARD_ASSIGN_OR_RETURN(Literal literal, ConsumeLiteral(type, dimensions, text));
  text = absl::StripLeadingAsciiWhitespace(text);
  if (!text.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("after the values: '", absl::CHexEscape(text.substr(0, 20)), "'"));
  }
  return literal;
}

}  // namespace warpyard
