// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/symbolic/expr_text.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "cc/symbolic/expr.h"

namespace warpyard::symbolic {
namespace {

using Kind = Expr::Kind;

void Append(const Expr& e, const Names& names, std::string& out);

// As an operand of something that binds more tightly than a sum.
void AppendFactor(const Expr& e, const Names& names, std::string& out) {
  const bool whole = e.operands().empty() || e.kind() == Kind::kMin || e.kind() == Kind::kMax;
  if (!whole) out += '(';
  Append(e, names, out);
  if (!whole) out += ')';
}

// A term of a sum or the whole of an expression: products need no parentheses here.
void AppendTerm(const Expr& e, const Names& names, std::string& out) {
  if (e.kind() == Kind::kSum) return AppendFactor(e, names, out);
  Append(e, names, out);
}

void AppendSum(const Expr& e, const Names& names, std::string& out) {
  for (size_t i = 0; i < e.operands().size(); ++i) {
    const Expr& term = e.operands()[i];
    int64_t coefficient = e.coefficients()[i];
    bool minus = coefficient < 0 && coefficient != std::numeric_limits<int64_t>::min() &&
                 (i > 0 || coefficient == -1);
    if (i > 0) out += minus ? " - " : " + ";
    if (i == 0 && minus) out += '-';
    if (minus) coefficient = -coefficient;
    if (coefficient == 1) {
      // After a minus at the front the term is taken as a whole: -(d0 / 2).
      if (i == 0 && minus) {
        AppendFactor(term, names, out);
      } else {
        AppendTerm(term, names, out);
      }
      continue;
    }
    if (term.kind() == Kind::kProduct) {
      Append(term, names, out);
    } else {
      AppendFactor(term, names, out);
    }
    absl::StrAppend(&out, " * ", coefficient);
  }
  const int64_t constant = e.constant();
  if (constant > 0 || constant == std::numeric_limits<int64_t>::min()) {
    absl::StrAppend(&out, " + ", constant);
  } else if (constant < 0) {
    absl::StrAppend(&out, " - ", -constant);
  }
}

void AppendBinary(const Expr& e, const char* sign, const Names& names, std::string& out) {
  AppendFactor(e.operands()[0], names, out);
  out += sign;
  AppendFactor(e.operands()[1], names, out);
}

void Append(const Expr& e, const Names& names, std::string& out) {
  switch (e.kind()) {
    case Kind::kSum:
      return AppendSum(e, names, out);
    case Kind::kProduct:
      for (size_t i = 0; i < e.operands().size(); ++i) {
        if (i > 0) out += " * ";
        AppendFactor(e.operands()[i], names, out);
      }
      return;
    case Kind::kMod:
      return AppendBinary(e, " mod ", names, out);
    case Kind::kFloorDiv:
      return AppendBinary(e, " / ", names, out);
    case Kind::kCeilDiv:
      return AppendBinary(e, " ceildiv ", names, out);
    case Kind::kMin:
    case Kind::kMax:
      out += e.kind() == Kind::kMin ? "min(" : "max(";
      for (size_t i = 0; i < e.operands().size(); ++i) {
        if (i > 0) out += ", ";
        Append(e.operands()[i], names, out);
      }
      out += ')';
      return;
    case Kind::kVariable:
      out += VariableName(e.variable(), names);
      return;
    case Kind::kConstant:
      absl::StrAppend(&out, e.constant());
      return;
    case Kind::kUndefined:
      out += "undefined";
      return;
  }
}

}  // namespace

std::string VariableName(Variable variable, const Names& names) {
  const std::string* const name = names.find(variable);
  if (name != nullptr && !name->empty()) return *name;
  const char* const prefix = variable.kind == VariableKind::kDimension ? "d"
                             : variable.kind == VariableKind::kRange   ? "s"
                                                                       : "rt";
  return absl::StrCat(prefix, variable.index);
}

std::string ExprToString(const Expr& e, const Names& names) {
  std::string out;
  Append(e, names, out);
  return out;
}

}  // namespace warpyard::symbolic
