// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Integer expressions over the variables of an index map: sums, products,
// division to either side, remainder, least and greatest.
//
//   Expr d0 = Expr::Dimension(0), s0 = Expr::Range(0);
//   (d0 * 2 + s0 - 1).ToString()            // "d0 * 2 + s0 - 1"
//   ((d0 * 8 + s0) / 4).ToString()          // "d0 * 2 + s0 / 4"
//
// An expression is canonical from the start: a sum of distinct terms in a fixed
// order, with products multiplied out and quotients taken apart as far as holds
// for all values of the variables. simplify.h uses what is known of them.
//
// Values are mathematical integers. Where a coefficient or a constant does not
// fit an int64, or a divisor is a constant below 1, the expression is
// `undefined`, and so is all that is made of it; evaluation of any other
// expression gives the right number or an error, never a wrapped one.

#ifndef WARPYARD_CC_SYMBOLIC_EXPR_H_
#define WARPYARD_CC_SYMBOLIC_EXPR_H_

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace warpyard::symbolic {

// What a variable stands for in a map: an index of its result space, a point of a
// range that is walked for each of these, a value known only when a program runs.
enum class VariableKind : uint8_t { kDimension, kRange, kRuntime };

struct Variable {
  VariableKind kind;
  int index;
  friend bool operator==(const Variable&, const Variable&) = default;
  friend auto operator<=>(const Variable&, const Variable&) = default;
};

// Values or ranges or names of all variables, by kind and index.
template <typename T>
struct PerVariable {
  std::vector<T> dimensions = {}, ranges = {}, runtimes = {};

  const std::vector<T>& of(VariableKind kind) const {
    return kind == VariableKind::kDimension ? dimensions
           : kind == VariableKind::kRange   ? ranges
                                            : runtimes;
  }
  std::vector<T>& of(VariableKind kind) {
    return const_cast<std::vector<T>&>(std::as_const(*this).of(kind));
  }
  // The one of `variable`, or null.
  const T* find(Variable variable) const {
    const std::vector<T>& all = of(variable.kind);
    const auto index = static_cast<size_t>(variable.index);
    return index < all.size() ? &all[index] : nullptr;
  }
  friend bool operator==(const PerVariable&, const PerVariable&) = default;
};

using Point = PerVariable<int64_t>;
using Names = PerVariable<std::string>;

inline constexpr VariableKind kVariableKinds[] = {VariableKind::kDimension, VariableKind::kRange,
                                                  VariableKind::kRuntime};

// "d0", "s1", "rt2", unless `names` has another one.
std::string VariableName(Variable variable, const Names& names = {});

class Expr {
 public:
  // In the order in which summands stand.
  enum class Kind : uint8_t {
    kSum,      // of coefficient times term each, and a constant
    kProduct,  // of two factors or more, none a constant
    kMod,      // of its two operands, as the two below
    kFloorDiv,
    kCeilDiv,
    kMin,  // of two operands or more
    kMax,
    kVariable,
    kConstant,
    kUndefined,
  };

  // 0.
  Expr() : Expr(0) {}
  // Implicit, so that `d0 * 2 + 1` reads as it is meant.
  Expr(int64_t constant);  // NOLINT(google-explicit-constructor)
  static Expr Of(Variable variable);
  static Expr Dimension(int index) { return Of({VariableKind::kDimension, index}); }
  static Expr Range(int index) { return Of({VariableKind::kRange, index}); }
  static Expr Runtime(int index) { return Of({VariableKind::kRuntime, index}); }
  static Expr Undefined();

  friend Expr operator+(const Expr& a, const Expr& b);
  friend Expr operator-(const Expr& a, const Expr& b);
  friend Expr operator*(const Expr& a, const Expr& b);
  Expr operator-() const { return *this * Expr(-1); }
  Expr& operator+=(const Expr& other) { return *this = *this + other; }
  // The greatest integer not above a / b; the divisor is taken to be positive.
  friend Expr FloorDiv(const Expr& a, const Expr& b);
  friend Expr operator/(const Expr& a, const Expr& b) { return FloorDiv(a, b); }
  // The least integer not below a / b.
  friend Expr CeilDiv(const Expr& a, const Expr& b);
  // a - b * FloorDiv(a, b): between 0 and b - 1.
  friend Expr Mod(const Expr& a, const Expr& b);
  friend Expr Min(const Expr& a, const Expr& b);
  friend Expr Max(const Expr& a, const Expr& b);

  Kind kind() const;
  bool is_undefined() const { return kind() == Kind::kUndefined; }
  bool is_constant() const { return kind() == Kind::kConstant; }
  bool is_variable() const { return kind() == Kind::kVariable; }
  // Whether it is this constant.
  bool is(int64_t value) const { return is_constant() && constant() == value; }

  // Of kConstant its value; of kSum what is added to the terms; else 0.
  int64_t constant() const;
  // Of kVariable.
  Variable variable() const;
  // Terms of a sum, factors, dividend and divisor, what Min and Max choose from.
  absl::Span<const Expr> operands() const;
  // Of kSum, one for each operand: none is 0.
  absl::Span<const int64_t> coefficients() const;

  // The expression as terms with coefficients and a constant, whatever its kind.
  struct Terms {
    std::vector<std::pair<Expr, int64_t>> terms;
    int64_t constant = 0;
  };
  Terms AsTerms() const;
  // The sum of such terms.
  static Expr FromTerms(Terms terms);

  // How many variables, constants and operators its text has; what "never grows"
  // is measured by. At most the greatest int64.
  int64_t size() const;
  // Of the tree of operators; 1 for a variable.
  int depth() const;
  // Whether any variable occurs in it; whether this one does.
  bool has_variables() const;
  bool Uses(Variable variable) const;

  // The value at `point`. INVALID_ARGUMENT for a variable that the point lacks or a
  // divisor below 1 there; OUT_OF_RANGE where it is no int64, or where a step on the
  // way goes beyond 128 bits; FAILED_PRECONDITION if undefined.
  absl::StatusOr<int64_t> Evaluate(const Point& point) const;

  // The same expression with other ones in the place of variables: of those for which
  // `replacement` gives one.
  using Replacement = absl::FunctionRef<std::optional<Expr>(Variable)>;
  Expr Replace(Replacement replacement) const;

  // Canonical text: equal expressions have equal texts, and ParseExpr (parse.h) gives
  // the expression back.
  std::string ToString(const Names& names = {}) const;

  // Whether both are built the same; so of two that mean the same it may be false.
  friend bool operator==(const Expr& a, const Expr& b) { return a.CompareTo(b) == 0; }
  // A fixed order: by kind, then by parts.
  friend std::strong_ordering operator<=>(const Expr& a, const Expr& b) {
    return a.CompareTo(b) <=> 0;
  }
  template <typename H>
  friend H AbslHashValue(H h, const Expr& e) {
    return H::combine(std::move(h), e.hash());
  }
  uint64_t hash() const;

  template <typename Sink>
  friend void AbslStringify(Sink& sink, const Expr& e) {
    sink.Append(e.ToString());
  }
  friend std::ostream& operator<<(std::ostream& out, const Expr& e) { return out << e.ToString(); }

  // Whether both are one object, so that a table keyed by id() may take one for the other.
  const void* id() const { return node_.get(); }

 private:
  struct Node;
  friend struct ExprBuilder;
  explicit Expr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  int CompareTo(const Expr& other) const;

  std::shared_ptr<const Node> node_;
};

// Declared here too, so that they are found where no argument is an Expr.
Expr FloorDiv(const Expr& a, const Expr& b);
Expr CeilDiv(const Expr& a, const Expr& b);
Expr Mod(const Expr& a, const Expr& b);
Expr Min(const Expr& a, const Expr& b);
Expr Max(const Expr& a, const Expr& b);

}  // namespace warpyard::symbolic

#endif  // WARPYARD_CC_SYMBOLIC_EXPR_H_
