// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Nodes, and the rules that keep expressions canonical.

#include "cc/symbolic/expr.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/symbolic/expr_evaluate.h"
#include "cc/symbolic/expr_node.h"
#include "cc/symbolic/expr_text.h"

namespace warpyard::symbolic {
namespace {

using Kind = Expr::Kind;

// Products of sums are multiplied out up to so many terms.
constexpr size_t kMaxProductTerms = 256;

// Adds terms up; overflow is remembered.
class TermSum {
 public:
  void Add(const Expr& e, int64_t factor) {
    if (factor == 0) return;
    switch (e.kind()) {
      case Kind::kUndefined:
        undefined_ = true;
        return;
      case Kind::kConstant:
        AddConstant(e.constant(), factor);
        return;
      case Kind::kSum:
        for (size_t i = 0; i < e.operands().size(); ++i) {
          AddTerm(e.operands()[i], Multiply(e.coefficients()[i], factor));
        }
        AddConstant(e.constant(), factor);
        return;
      default:
        AddTerm(e, factor);
    }
  }
  // `atom` is neither a sum nor a constant, but in a product that was not multiplied out.
  void AddTerm(const Expr& atom, int64_t coefficient) { terms_.emplace_back(atom, coefficient); }
  void AddConstant(int64_t value, int64_t factor = 1) {
    undefined_ =
        undefined_ || __builtin_add_overflow(constant_, Multiply(value, factor), &constant_);
  }
  int64_t Multiply(int64_t a, int64_t b) {
    int64_t product = 0;
    undefined_ = undefined_ || __builtin_mul_overflow(a, b, &product);
    return product;
  }

  Expr Build() &&;

 private:
  std::vector<std::pair<Expr, int64_t>> terms_;
  int64_t constant_ = 0;
  bool undefined_ = false;
};

// floor(a / b) for b > 0. Not Interval's, to which the ends of int64 are infinite.
int64_t Floor(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

uint64_t Mix(uint64_t a, uint64_t b) {
  a = (a ^ b) * 0x9e3779b97f4a7c15;
  return a ^ (a >> 29);
}

int64_t SaturatingAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

}  // namespace

struct ExprBuilder {
  static Expr Make(Kind kind, int64_t value, std::vector<Expr> operands,
                   std::vector<int64_t> coefficients = {}, VariableKind variable = {}) {
    auto node = std::make_shared<Expr::Node>();
    node->kind = kind;
    node->variable_kind = variable;
    node->value = value;
    uint64_t hash = Mix(static_cast<uint64_t>(kind) * 8 + static_cast<uint64_t>(variable),
                        static_cast<uint64_t>(value));
    int64_t size = operands.empty() ? 1 : static_cast<int64_t>(operands.size()) - 1;
    for (size_t i = 0; i < operands.size(); ++i) {
      const Expr::Node& operand = *operands[i].node_;
      hash = Mix(hash, operand.hash);
      size = SaturatingAdd(size, operand.size);
      node->depth = std::max(node->depth, operand.depth + 1);
      node->has_variables = node->has_variables || operand.has_variables;
    }
    for (const int64_t coefficient : coefficients) {
      hash = Mix(hash, static_cast<uint64_t>(coefficient));
      if (coefficient != 1) size = SaturatingAdd(size, coefficient == -1 ? 1 : 2);
    }
    if (kind == Kind::kSum && value != 0) size = SaturatingAdd(size, 2);
    if (kind == Kind::kVariable) node->has_variables = true;
    node->hash = hash;
    node->size = size;
    node->operands = std::move(operands);
    node->coefficients = std::move(coefficients);
    return Expr(std::shared_ptr<const Expr::Node>(std::move(node)));
  }
};

namespace {

Expr TermSumless(Kind kind, std::vector<Expr> operands) {
  return ExprBuilder::Make(kind, 0, std::move(operands));
}

Expr TermSum::Build() && {
  if (undefined_) return Expr::Undefined();
  std::sort(terms_.begin(), terms_.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::pair<Expr, int64_t>> merged;
  for (auto& [atom, coefficient] : terms_) {
    if (!merged.empty() && merged.back().first == atom) {
      if (__builtin_add_overflow(merged.back().second, coefficient, &merged.back().second)) {
        return Expr::Undefined();
      }
    } else {
      merged.emplace_back(std::move(atom), coefficient);
    }
  }
  std::erase_if(merged, [](const auto& term) { return term.second == 0; });
  if (merged.empty()) return Expr(constant_);
  if (merged.size() == 1 && merged[0].second == 1 && constant_ == 0) return merged[0].first;
  // What is multiplied stands first.
  std::stable_partition(merged.begin(), merged.end(), [](const auto& term) {
    return term.second != 1 || term.first.kind() == Kind::kProduct;
  });
  std::vector<Expr> operands;
  std::vector<int64_t> coefficients;
  for (auto& [atom, coefficient] : merged) {
    operands.push_back(std::move(atom));
    coefficients.push_back(coefficient);
  }
  return ExprBuilder::Make(Kind::kSum, constant_, std::move(operands), std::move(coefficients));
}

// The factors of a term.
std::vector<Expr> Factors(const Expr& atom) {
  if (atom.kind() != Kind::kProduct) return {atom};
  return {atom.operands().begin(), atom.operands().end()};
}

Expr MultiplyAtoms(const Expr& a, const Expr& b) {
  std::vector<Expr> factors = Factors(a);
  for (const Expr& factor : Factors(b)) factors.push_back(factor);
  std::sort(factors.begin(), factors.end());
  return TermSumless(Kind::kProduct, std::move(factors));
}

// `atom` without one of its factors, if it has that.
std::optional<Expr> WithoutFactor(const Expr& atom, const Expr& factor) {
  std::vector<Expr> factors = Factors(atom);
  const auto at = std::find(factors.begin(), factors.end(), factor);
  if (at == factors.end()) return std::nullopt;
  factors.erase(at);
  if (factors.empty()) return Expr(1);
  if (factors.size() == 1) return factors[0];
  return TermSumless(Kind::kProduct, std::move(factors));
}

struct Split {
  Expr whole;  // what comes out of a division by b: a = whole * b + rest
  Expr rest;
};

// For a divisor that is no constant: whole are the terms that have it as a factor.
Split SplitByFactor(const Expr& a, const Expr& b) {
  TermSum whole, rest;
  Expr::Terms terms = a.AsTerms();
  for (const auto& [atom, coefficient] : terms.terms) {
    if (const std::optional<Expr> quotient = WithoutFactor(atom, b)) {
      whole.Add(*quotient, coefficient);
    } else {
      rest.Add(atom, coefficient);
    }
  }
  rest.AddConstant(terms.constant);
  return {std::move(whole).Build(), std::move(rest).Build()};
}

// The greatest common divisor of `start` and the coefficients.
int64_t CommonDivisor(const Expr::Terms& terms, int64_t start) {
  int64_t divisor = start;
  for (const auto& [atom, coefficient] : terms.terms) {
    if (divisor == 1) break;
    // |coefficient| may be no int64.
    divisor = std::gcd(divisor, coefficient % divisor);
  }
  return divisor;
}

Expr Scaled(const Expr::Terms& terms, int64_t divisor, int64_t constant) {
  TermSum sum;
  for (const auto& [atom, coefficient] : terms.terms) sum.AddTerm(atom, coefficient / divisor);
  sum.AddConstant(constant);
  return std::move(sum).Build();
}

Expr FloorDivByConstant(const Expr& a, int64_t divisor) {
  if (divisor == 1) return a;
  if (a.is_constant()) return Expr(Floor(a.constant(), divisor));
  // Multiples of the divisor come out. Of the constant so much that the rest has its sign and
  // is nearer to 0: (d0 - 1) / 2 stays, as it is what people and XLA write.
  TermSum whole;
  Expr::Terms rest;
  const Expr::Terms all = a.AsTerms();
  for (const auto& [atom, coefficient] : all.terms) {
    if (coefficient % divisor == 0) {
      whole.Add(atom, coefficient / divisor);
    } else {
      rest.terms.emplace_back(atom, coefficient);
    }
  }
  if (rest.terms.empty()) {
    whole.AddConstant(Floor(all.constant, divisor));
    return std::move(whole).Build();
  }
  whole.AddConstant(all.constant / divisor);
  rest.constant = all.constant % divisor;

  // floor((g y + k) / (g m)) = floor((y + floor(k / g)) / m)
  if (const int64_t common = CommonDivisor(rest, divisor); common > 1) {
    const Expr reduced = Scaled(rest, common, Floor(rest.constant, common));
    whole.Add(FloorDivByConstant(reduced, divisor / common), 1);
    return std::move(whole).Build();
  }
  if (rest.terms.size() == 1 && rest.terms[0].second == 1) {
    const Expr& atom = rest.terms[0].first;
    if (atom.kind() == Kind::kFloorDiv && atom.operands()[1].is_constant()) {
      // floor((floor(x / c) + k) / d) = floor((x + c k) / (c d))
      const int64_t inner = atom.operands()[1].constant();
      int64_t product = 0, shift = 0;
      if (!__builtin_mul_overflow(inner, divisor, &product) &&
          !__builtin_mul_overflow(inner, rest.constant, &shift)) {
        const Expr moved = atom.operands()[0] + Expr(shift);
        if (!moved.is_undefined()) {
          whole.Add(FloorDivByConstant(moved, product), 1);
          return std::move(whole).Build();
        }
      }
    }
    if (atom.kind() == Kind::kMod && atom.operands()[1].is_constant() && rest.constant == 0 &&
        atom.operands()[1].constant() % divisor == 0) {
      // floor((x mod (d m)) / d) = floor(x / d) mod m
      whole.Add(Mod(FloorDivByConstant(atom.operands()[0], divisor),
                    Expr(atom.operands()[1].constant() / divisor)),
                1);
      return std::move(whole).Build();
    }
  }
  const Expr dividend = Expr::FromTerms(std::move(rest));
  if (dividend.is_undefined()) return dividend;
  whole.Add(TermSumless(Kind::kFloorDiv, {dividend, Expr(divisor)}), 1);
  return std::move(whole).Build();
}

Expr CeilDivByConstant(const Expr& a, int64_t divisor) {
  if (divisor == 1) return a;
  if (a.is_constant()) {
    const int64_t floor = Floor(a.constant(), divisor);
    return Expr(a.constant() % divisor == 0 ? floor : floor + 1);
  }
  TermSum whole;
  Expr::Terms rest;
  const Expr::Terms all = a.AsTerms();
  for (const auto& [atom, coefficient] : all.terms) {
    if (coefficient % divisor == 0) {
      whole.Add(atom, coefficient / divisor);
    } else {
      rest.terms.emplace_back(atom, coefficient);
    }
  }
  if (rest.terms.empty()) {
    whole.Add(CeilDivByConstant(Expr(all.constant), divisor), 1);
    return std::move(whole).Build();
  }
  whole.AddConstant(all.constant / divisor);
  rest.constant = all.constant % divisor;
  const int64_t common = std::gcd(CommonDivisor(rest, divisor), rest.constant % divisor);
  if (common > 1) {
    whole.Add(CeilDivByConstant(Scaled(rest, common, rest.constant / common), divisor / common), 1);
    return std::move(whole).Build();
  }
  const Expr dividend = Expr::FromTerms(std::move(rest));
  if (dividend.is_undefined()) return dividend;
  whole.Add(TermSumless(Kind::kCeilDiv, {dividend, Expr(divisor)}), 1);
  return std::move(whole).Build();
}

Expr ModByConstant(const Expr& a, int64_t divisor) {
  if (divisor == 1) return Expr(0);
  if (a.is_constant()) {
    const int64_t rest = a.constant() % divisor;
    return Expr(rest < 0 ? rest + divisor : rest);
  }
  // Whole multiples do not matter, and a remainder to a multiple of the divisor is as good as
  // what it is taken of.
  Expr::Terms rest;
  bool changed = false;
  const Expr::Terms all = a.AsTerms();
  TermSum unwrapped;
  for (const auto& [atom, coefficient] : all.terms) {
    // Other coefficients stay as they are: (d0 * 4 + d1) mod 3 goes with (d0 * 4 + d1) / 3.
    if (coefficient % divisor == 0) continue;
    if (atom.kind() == Kind::kMod && atom.operands()[1].is_constant()) {
      const int64_t inner = atom.operands()[1].constant();
      if (static_cast<__int128>(coefficient) * inner % divisor == 0) {
        unwrapped.Add(atom.operands()[0], coefficient);
        changed = true;
        continue;
      }
    }
    unwrapped.AddTerm(atom, coefficient);
    rest.terms.emplace_back(atom, coefficient);
  }
  rest.constant = all.constant % divisor;
  if (changed) {
    unwrapped.AddConstant(rest.constant);
    const Expr inner = std::move(unwrapped).Build();
    if (!inner.is_undefined()) return ModByConstant(inner, divisor);
    rest = all;
  }
  if (rest.terms.empty()) return ModByConstant(Expr(rest.constant), divisor);
  const int64_t common = CommonDivisor(rest, divisor);
  if (common > 1 && (rest.constant % common == 0 || rest.constant > 0)) {
    // (g y + k) mod (g m) = g ((y + floor(k / g)) mod m) + k mod g
    const Expr reduced = Scaled(rest, common, Floor(rest.constant, common));
    TermSum sum;
    sum.Add(ModByConstant(reduced, divisor / common), common);
    sum.AddConstant(rest.constant % common);
    return std::move(sum).Build();
  }
  const Expr dividend = Expr::FromTerms(std::move(rest));
  if (dividend.is_undefined()) return dividend;
  return TermSumless(Kind::kMod, {dividend, Expr(divisor)});
}

Expr Divide(Kind kind, const Expr& a, const Expr& b) {
  if (a.is_undefined() || b.is_undefined()) return Expr::Undefined();
  if (b.is_constant()) {
    if (b.constant() < 1) return Expr::Undefined();
    switch (kind) {
      case Kind::kFloorDiv:
        return FloorDivByConstant(a, b.constant());
      case Kind::kCeilDiv:
        return CeilDivByConstant(a, b.constant());
      default:
        return ModByConstant(a, b.constant());
    }
  }
  if (a.is(0)) return a;
  if (a == b) return Expr(kind == Kind::kMod ? 0 : 1);
  const Split split = SplitByFactor(a, b);
  if (split.whole.is(0) || split.whole.is_undefined() || split.rest.is_undefined()) {
    return TermSumless(kind, {a, b});
  }
  const Expr rest = split.rest.is(0) ? Expr(0) : TermSumless(kind, {split.rest, b});
  return kind == Kind::kMod ? rest : split.whole + rest;
}

Expr Choose(Kind kind, const Expr& a, const Expr& b) {
  if (a.is_undefined() || b.is_undefined()) return Expr::Undefined();
  std::vector<Expr> operands;
  for (const Expr* e : {&a, &b}) {
    if (e->kind() == kind) {
      operands.insert(operands.end(), e->operands().begin(), e->operands().end());
    } else {
      operands.push_back(*e);
    }
  }
  std::sort(operands.begin(), operands.end());
  // Of two that differ by a constant only one can be chosen.
  std::vector<Expr> kept;
  for (const Expr& e : operands) {
    bool needed = true;
    for (Expr& other : kept) {
      const Expr difference = e - other;
      if (!difference.is_constant()) continue;
      if (kind == Kind::kMin ? difference.constant() < 0 : difference.constant() > 0) other = e;
      needed = false;
      break;
    }
    if (needed) kept.push_back(e);
  }
  std::sort(kept.begin(), kept.end());
  if (kept.size() == 1) return kept[0];
  return TermSumless(kind, std::move(kept));
}

}  // namespace

Expr::Expr(int64_t constant) {
  // The constants that programs are full of are made once.
  static const std::vector<Expr>* const small = [] {
    auto* all = new std::vector<Expr>();
    for (int64_t i = -16; i <= 256; ++i) all->push_back(ExprBuilder::Make(Kind::kConstant, i, {}));
    return all;
  }();
  *this = constant >= -16 && constant <= 256 ? (*small)[constant + 16]
                                             : ExprBuilder::Make(Kind::kConstant, constant, {});
}

Expr Expr::Of(Variable variable) {
  return ExprBuilder::Make(Kind::kVariable, variable.index, {}, {}, variable.kind);
}

Expr Expr::Undefined() {
  static const Expr* const undefined = new Expr(ExprBuilder::Make(Kind::kUndefined, 0, {}));
  return *undefined;
}

Expr operator+(const Expr& a, const Expr& b) {
  TermSum sum;
  sum.Add(a, 1);
  sum.Add(b, 1);
  return std::move(sum).Build();
}

Expr operator-(const Expr& a, const Expr& b) {
  TermSum sum;
  sum.Add(a, 1);
  sum.Add(b, -1);
  return std::move(sum).Build();
}

Expr operator*(const Expr& a, const Expr& b) {
  if (a.is_undefined() || b.is_undefined()) return Expr::Undefined();
  TermSum sum;
  if (b.is_constant()) {
    sum.Add(a, b.constant());
  } else if (a.is_constant()) {
    sum.Add(b, a.constant());
  } else {
    const Expr::Terms x = a.AsTerms(), y = b.AsTerms();
    if ((x.terms.size() + 1) * (y.terms.size() + 1) > kMaxProductTerms) {
      return MultiplyAtoms(a, b);
    }
    for (const auto& [left, p] : x.terms) {
      for (const auto& [right, q] : y.terms) {
        sum.AddTerm(MultiplyAtoms(left, right), sum.Multiply(p, q));
      }
      if (y.constant != 0) sum.AddTerm(left, sum.Multiply(p, y.constant));
    }
    if (x.constant != 0) {
      for (const auto& [right, q] : y.terms) sum.AddTerm(right, sum.Multiply(q, x.constant));
    }
    sum.AddConstant(x.constant, y.constant);
  }
  return std::move(sum).Build();
}

Expr FloorDiv(const Expr& a, const Expr& b) { return Divide(Kind::kFloorDiv, a, b); }
Expr CeilDiv(const Expr& a, const Expr& b) { return Divide(Kind::kCeilDiv, a, b); }
Expr Mod(const Expr& a, const Expr& b) { return Divide(Kind::kMod, a, b); }
Expr Min(const Expr& a, const Expr& b) { return Choose(Kind::kMin, a, b); }
Expr Max(const Expr& a, const Expr& b) { return Choose(Kind::kMax, a, b); }

Expr::Kind Expr::kind() const { return node_->kind; }

int64_t Expr::constant() const { return is_variable() ? 0 : node_->value; }

Variable Expr::variable() const { return {node_->variable_kind, static_cast<int>(node_->value)}; }

absl::Span<const Expr> Expr::operands() const { return node_->operands; }
absl::Span<const int64_t> Expr::coefficients() const { return node_->coefficients; }
int64_t Expr::size() const { return node_->size; }
int Expr::depth() const { return node_->depth; }
bool Expr::has_variables() const { return node_->has_variables; }
uint64_t Expr::hash() const { return node_->hash; }

Expr::Terms Expr::AsTerms() const {
  Terms result;
  if (kind() == Kind::kConstant) {
    result.constant = constant();
  } else if (kind() == Kind::kSum) {
    for (size_t i = 0; i < operands().size(); ++i) {
      result.terms.emplace_back(operands()[i], coefficients()[i]);
    }
    result.constant = constant();
  } else {
    result.terms.emplace_back(*this, 1);
  }
  return result;
}

Expr Expr::FromTerms(Terms terms) {
  TermSum sum;
  for (const auto& [atom, coefficient] : terms.terms) sum.Add(atom, coefficient);
  sum.AddConstant(terms.constant);
  return std::move(sum).Build();
}

std::string Expr::ToString(const Names& names) const { return ExprToString(*this, names); }

absl::StatusOr<int64_t> Expr::Evaluate(const Point& point) const {
  return EvaluateExpr(*this, point);
}

bool Expr::Uses(Variable variable) const {
  if (is_variable()) return this->variable() == variable;
  if (!has_variables()) return false;
  return std::any_of(operands().begin(), operands().end(),
                     [&](const Expr& e) { return e.Uses(variable); });
}

int Expr::CompareTo(const Expr& other) const {
  if (node_ == other.node_) return 0;
  const Node& a = *node_;
  const Node& b = *other.node_;
  const auto order = [](auto x, auto y) { return x < y ? -1 : x > y ? 1 : 0; };
  if (const int by_kind = order(a.kind, b.kind)) return by_kind;
  if (a.kind == Kind::kVariable) {
    const int by_variable = order(a.variable_kind, b.variable_kind);
    return by_variable != 0 ? by_variable : order(a.value, b.value);
  }
  for (size_t i = 0; i < std::min(a.operands.size(), b.operands.size()); ++i) {
    if (const int by_operand = a.operands[i].CompareTo(b.operands[i])) return by_operand;
    if (!a.coefficients.empty()) {
      if (const int by_factor = order(a.coefficients[i], b.coefficients[i])) return by_factor;
    }
  }
  if (const int by_count = order(a.operands.size(), b.operands.size())) return by_count;
  return order(a.value, b.value);
}

Expr Rebuild(const Expr& e, absl::FunctionRef<Expr(const Expr&)> operand) {
  switch (e.kind()) {
    case Kind::kSum: {
      TermSum sum;
      for (size_t i = 0; i < e.operands().size(); ++i) {
        sum.Add(operand(e.operands()[i]), e.coefficients()[i]);
      }
      sum.AddConstant(e.constant());
      return std::move(sum).Build();
    }
    case Kind::kProduct:
    case Kind::kMin:
    case Kind::kMax: {
      Expr result = operand(e.operands()[0]);
      for (const Expr& other : e.operands().subspan(1)) {
        const Expr next = operand(other);
        result = e.kind() == Kind::kProduct ? result * next
                 : e.kind() == Kind::kMin   ? Min(result, next)
                                            : Max(result, next);
      }
      return result;
    }
    case Kind::kMod:
    case Kind::kFloorDiv:
    case Kind::kCeilDiv:
      return Divide(e.kind(), operand(e.operands()[0]), operand(e.operands()[1]));
    default:
      return e;
  }
}

namespace {

Expr ReplaceWithMemory(const Expr& e, Expr::Replacement replacement,
                       std::unordered_map<const void*, Expr>& known) {
  if (e.is_variable()) return replacement(e.variable()).value_or(e);
  if (!e.has_variables()) return e;
  if (const auto found = known.find(e.id()); found != known.end()) return found->second;
  Expr result = Rebuild(
      e, [&](const Expr& operand) { return ReplaceWithMemory(operand, replacement, known); });
  known.emplace(e.id(), result);
  return result;
}

}  // namespace

Expr Expr::Replace(Replacement replacement) const {
  std::unordered_map<const void*, Expr> known;
  return ReplaceWithMemory(*this, replacement, known);
}

}  // namespace warpyard::symbolic
