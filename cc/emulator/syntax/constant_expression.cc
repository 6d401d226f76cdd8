// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/syntax/constant_expression.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/syntax/scanner.h"

namespace warpyard::emulator::syntax {
namespace {

using Kind = ConstantValue::Kind;

constexpr int kMaxDepth = 200;

int DigitValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

// Digits of `base` to a number of at most 64 bits.
bool ParseDigits(std::string_view digits, int base, uint64_t* value) {
  if (digits.empty()) return false;
  uint64_t result = 0;
  for (char c : digits) {
    const int digit = DigitValue(c);
    if (digit >= base) return false;
    if (result > (std::numeric_limits<uint64_t>::max() - digit) / base) return false;
    result = result * base + digit;
  }
  *value = result;
  return true;
}

ConstantValue Integer(uint64_t bits, bool is_unsigned) {
  return {is_unsigned ? Kind::kUnsigned : Kind::kSigned, bits, false};
}
ConstantValue Double(double value) { return {Kind::kDouble, std::bit_cast<uint64_t>(value)}; }
double AsDouble(const ConstantValue& value) {
  switch (value.kind) {
    case Kind::kSigned:
      return static_cast<double>(static_cast<int64_t>(value.bits));
    case Kind::kUnsigned:
      return static_cast<double>(value.bits);
    case Kind::kDouble:
      return std::bit_cast<double>(value.bits);
    case Kind::kSingle:
      return std::bit_cast<float>(static_cast<uint32_t>(value.bits));
  }
  return 0;
}
bool IsTrue(const ConstantValue& value) {
  return value.is_float() ? AsDouble(value) != 0 : value.bits != 0;
}

enum class Op : uint8_t {
  kNone,
  kOrOr,
  kAndAnd,
  kOr,
  kXor,
  kAnd,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kShl,
  kShr,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kRem,
};

struct BinaryOperator {
  Op op = Op::kNone;
  int precedence = 0;  // higher binds closer
  int length = 0;      // characters
};

BinaryOperator PeekOperator(const Scanner& scanner) {
  const char c = scanner.Peek();
  const char next = scanner.PeekAt(1);
  switch (c) {
    case '|':
      return next == '|' ? BinaryOperator{Op::kOrOr, 1, 2} : BinaryOperator{Op::kOr, 3, 1};
    case '&':
      return next == '&' ? BinaryOperator{Op::kAndAnd, 2, 2} : BinaryOperator{Op::kAnd, 5, 1};
    case '^':
      return {Op::kXor, 4, 1};
    case '=':
      if (next == '=') return {Op::kEq, 6, 2};
      return {};
    case '!':
      if (next == '=') return {Op::kNe, 6, 2};
      return {};
    case '<':
      if (next == '<') return {Op::kShl, 8, 2};
      return next == '=' ? BinaryOperator{Op::kLe, 7, 2} : BinaryOperator{Op::kLt, 7, 1};
    case '>':
      if (next == '>') return {Op::kShr, 8, 2};
      return next == '=' ? BinaryOperator{Op::kGe, 7, 2} : BinaryOperator{Op::kGt, 7, 1};
    case '+':
      return {Op::kAdd, 9, 1};
    case '-':
      return {Op::kSub, 9, 1};
    case '*':
      return {Op::kMul, 10, 1};
    case '/':
      return {Op::kDiv, 10, 1};
    case '%':
      return {Op::kRem, 10, 1};
    default:
      return {};
  }
}

absl::Status ApplyFloat(const Scanner& scanner, Op op, double a, double b, ConstantValue* result) {
  switch (op) {
    case Op::kAdd:
      *result = Double(a + b);
      return absl::OkStatus();
    case Op::kSub:
      *result = Double(a - b);
      return absl::OkStatus();
    case Op::kMul:
      *result = Double(a * b);
      return absl::OkStatus();
    case Op::kDiv:
      *result = Double(a / b);
      return absl::OkStatus();
    case Op::kEq:
      *result = Integer(a == b, false);
      return absl::OkStatus();
    case Op::kNe:
      *result = Integer(a != b, false);
      return absl::OkStatus();
    case Op::kLt:
      *result = Integer(a < b, false);
      return absl::OkStatus();
    case Op::kLe:
      *result = Integer(a <= b, false);
      return absl::OkStatus();
    case Op::kGt:
      *result = Integer(a > b, false);
      return absl::OkStatus();
    case Op::kGe:
      *result = Integer(a >= b, false);
      return absl::OkStatus();
    default:
      return scanner.Error("expected integers: the operator does not take floating-point numbers");
  }
}

absl::Status ApplyInteger(const Scanner& scanner, Op op, const ConstantValue& x,
                          const ConstantValue& y, ConstantValue* result) {
  const uint64_t a = x.bits, b = y.bits;
  const int64_t sa = static_cast<int64_t>(a), sb = static_cast<int64_t>(b);
  const bool is_unsigned = x.kind == Kind::kUnsigned || y.kind == Kind::kUnsigned;
  const auto less = [&](uint64_t p, uint64_t q) {
    return is_unsigned ? p < q : static_cast<int64_t>(p) < static_cast<int64_t>(q);
  };
  switch (op) {
    case Op::kAdd:
      *result = Integer(a + b, is_unsigned);
      break;
    case Op::kSub:
      *result = Integer(a - b, is_unsigned);
      break;
    case Op::kMul:
      *result = Integer(a * b, is_unsigned);
      break;
    case Op::kDiv:
    case Op::kRem: {
      if (b == 0) return scanner.Error("division by zero in a constant expression");
      uint64_t quotient;
      if (is_unsigned) {
        quotient = a / b;
      } else if (sb == -1) {
        quotient = 0 - a;  // the smallest number by -1 wraps
      } else {
        quotient = static_cast<uint64_t>(sa / sb);
      }
      *result = Integer(op == Op::kDiv ? quotient : a - quotient * b, is_unsigned);
      break;
    }
    case Op::kShl:
      *result = Integer(b >= 64 ? 0 : a << b, x.kind == Kind::kUnsigned);
      break;
    case Op::kShr:
      if (x.kind == Kind::kUnsigned) {
        *result = Integer(b >= 64 ? 0 : a >> b, true);
      } else {
        *result = Integer(static_cast<uint64_t>(sa >> (b >= 64 ? 63 : b)), false);
      }
      break;
    case Op::kAnd:
      *result = Integer(a & b, is_unsigned);
      break;
    case Op::kOr:
      *result = Integer(a | b, is_unsigned);
      break;
    case Op::kXor:
      *result = Integer(a ^ b, is_unsigned);
      break;
    case Op::kEq:
      *result = Integer(a == b, false);
      break;
    case Op::kNe:
      *result = Integer(a != b, false);
      break;
    case Op::kLt:
      *result = Integer(less(a, b), false);
      break;
    case Op::kLe:
      *result = Integer(!less(b, a), false);
      break;
    case Op::kGt:
      *result = Integer(less(b, a), false);
      break;
    case Op::kGe:
      *result = Integer(!less(a, b), false);
      break;
    case Op::kNone:
    case Op::kAndAnd:
    case Op::kOrOr:
      return scanner.Error("unexpected operator");
  }
  return absl::OkStatus();
}

class ExpressionParser {
 public:
  explicit ExpressionParser(Scanner& scanner) : scanner_(scanner) {}

  absl::Status Conditional(ConstantValue* value) {
    WARPYARD_RETURN_IF_ERROR(Binary(1, value));
    if (scanner_.Peek() != '?') return absl::OkStatus();
    if (++depth_ > kMaxDepth) return TooDeep();
    scanner_.Eat('?');
    ConstantValue if_true, if_false;
    WARPYARD_RETURN_IF_ERROR(Conditional(&if_true));
    if (!scanner_.Eat(':')) return scanner_.Expected("':' of '?:'");
    WARPYARD_RETURN_IF_ERROR(Conditional(&if_false));
    *value = IsTrue(*value) ? if_true : if_false;
    --depth_;
    return absl::OkStatus();
  }

 private:
  absl::Status Binary(int least, ConstantValue* value) {
    if (++depth_ > kMaxDepth) return TooDeep();
    WARPYARD_RETURN_IF_ERROR(Unary(value));
    for (;;) {
      const BinaryOperator binary = PeekOperator(scanner_);
      if (binary.op == Op::kNone || binary.precedence < least) break;
      scanner_.Advance(binary.length);
      ConstantValue right;
      WARPYARD_RETURN_IF_ERROR(Binary(binary.precedence + 1, &right));
      if (binary.op == Op::kAndAnd) {
        *value = Integer(IsTrue(*value) && IsTrue(right), false);
      } else if (binary.op == Op::kOrOr) {
        *value = Integer(IsTrue(*value) || IsTrue(right), false);
      } else if (value->is_float() || right.is_float()) {
        WARPYARD_RETURN_IF_ERROR(
            ApplyFloat(scanner_, binary.op, AsDouble(*value), AsDouble(right), value));
      } else {
        WARPYARD_RETURN_IF_ERROR(ApplyInteger(scanner_, binary.op, *value, right, value));
      }
    }
    --depth_;
    return absl::OkStatus();
  }

  absl::Status Unary(ConstantValue* value) {
    const char c = scanner_.Peek();
    if (IsDigit(c) || (c == '.' && IsDigit(scanner_.PeekAt(1)))) return Number(value);
    if (++depth_ > kMaxDepth) return TooDeep();
    switch (c) {
      case '+':
        scanner_.Eat('+');
        WARPYARD_RETURN_IF_ERROR(Unary(value));
        break;
      case '-':
        scanner_.Eat('-');
        WARPYARD_RETURN_IF_ERROR(Unary(value));
        if (value->kind == Kind::kDouble) {
          value->bits ^= uint64_t{1} << 63;
        } else if (value->kind == Kind::kSingle) {
          value->bits ^= uint64_t{1} << 31;
        } else {
          value->bits = 0 - value->bits;
          value->negative = !value->negative;
        }
        break;
      case '~':
      case '!': {
        const Position position = scanner_.position();
        scanner_.Advance(1);
        WARPYARD_RETURN_IF_ERROR(Unary(value));
        if (value->is_float()) return Scanner::ErrorAt(position, "expected an integer after it");
        *value = c == '~' ? Integer(~value->bits, value->kind == Kind::kUnsigned)
                          : Integer(value->bits == 0, false);
        break;
      }
      case '(':
        WARPYARD_RETURN_IF_ERROR(Parenthesis(value));
        break;
      default: {
        if (scanner_.Peek() == 'W' && scanner_.Word() == "WARP_SZ") {
          *value = Integer(32, false);
          break;
        }
        return scanner_.Expected("a constant");
      }
    }
    --depth_;
    return absl::OkStatus();
  }

  absl::Status Parenthesis(ConstantValue* value) {
    scanner_.Eat('(');
    if (scanner_.Peek() == '.' && !IsDigit(scanner_.PeekAt(1))) {
      const Position position = scanner_.position();
      const std::string_view type = scanner_.DotWord();
      if (!scanner_.Eat(')')) return scanner_.Expected("')' of a cast");
      WARPYARD_RETURN_IF_ERROR(Unary(value));
      if (type != "s64" && type != "u64") {
        return Scanner::ErrorAt(
            position, absl::StrCat("expected the cast (.s64) or (.u64), found (.", type, ")"));
      }
      if (value->is_float()) {
        const double number = AsDouble(*value);
        // Outside of 64 bits the cast is undefined in C++; nobody writes it.
        const bool fits = number > -9.2e18 && number < 9.2e18;
        *value = Integer(fits ? static_cast<uint64_t>(static_cast<int64_t>(number)) : 0, false);
      }
      value->kind = type == "u64" ? Kind::kUnsigned : Kind::kSigned;
      return absl::OkStatus();
    }
    WARPYARD_RETURN_IF_ERROR(Conditional(value));
    if (!scanner_.Eat(')')) return scanner_.Expected("')'");
    return absl::OkStatus();
  }

  absl::Status Number(ConstantValue* value) {
    const Position position = scanner_.position();
    const std::string_view text = scanner_.NumberText();
    absl::Status status = ParseNumber(text, value);
    if (!status.ok()) return Scanner::ErrorAt(position, status.message());
    return absl::OkStatus();
  }

  absl::Status TooDeep() const {
    return scanner_.Error(absl::StrCat("constant expression nested deeper than ", kMaxDepth));
  }

  Scanner& scanner_;
  int depth_ = 0;
};

}  // namespace

absl::Status ParseNumber(std::string_view text, ConstantValue* value) {
  *value = ConstantValue{};
  const auto bad = [&] {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a number, found '", text.substr(0, 80), "'"));
  };
  if (text.size() > 1 && text[0] == '0') {
    const char kind = text[1] | 0x20;
    if (kind == 'f' && text.size() == 10) {
      value->kind = Kind::kSingle;
      return ParseDigits(text.substr(2), 16, &value->bits) ? absl::OkStatus() : bad();
    }
    if (kind == 'd' && text.size() == 18) {
      value->kind = Kind::kDouble;
      return ParseDigits(text.substr(2), 16, &value->bits) ? absl::OkStatus() : bad();
    }
  }
  const bool hex = text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'x';
  const bool is_decimal_float = !hex && text.find_first_of(".eE") != std::string_view::npos;
  if (is_decimal_float) {
    double number = 0;
    if (text.size() > 400 || !absl::SimpleAtod(text, &number) ||
        !IsDigit(text.back() == '.' ? '0' : text.back())) {
      return bad();
    }
    *value = Double(number);
    return absl::OkStatus();
  }
  std::string_view digits = text;
  bool is_unsigned = false;
  if (!digits.empty() && (digits.back() | 0x20) == 'u') {
    is_unsigned = true;
    digits.remove_suffix(1);
  }
  int base = 10;
  if (hex) {
    base = 16;
    digits.remove_prefix(2);
  } else if (digits.size() > 2 && digits[0] == '0' && (digits[1] | 0x20) == 'b') {
    base = 2;
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits[0] == '0') {
    base = 8;
    digits.remove_prefix(1);
  }
  if (!ParseDigits(digits, base, &value->bits)) return bad();
  // PTX ISA, "Integer Constants": signed unless it does not fit or has the U.
  if (is_unsigned || value->bits >> 63 != 0) value->kind = Kind::kUnsigned;
  return absl::OkStatus();
}

absl::Status ParseConstantExpression(Scanner& scanner, ConstantValue* value) {
  return ExpressionParser(scanner).Conditional(value);
}

}  // namespace warpyard::emulator::syntax
