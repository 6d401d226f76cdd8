// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What operations on expressions and maps cost, against evaluating the same
// expressions once, measured in one run.
//
//   ./bazelw run //cc/symbolic:symbolic_benchmark

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/statusor.h"
#include "cc/symbolic/expr.h"
#include "cc/symbolic/index_map.h"
#include "cc/symbolic/map_algebra.h"
#include "cc/symbolic/parse.h"
#include "cc/symbolic/simplify.h"
#include "cc/symbolic/testing/random_expr.h"

namespace warpyard::symbolic {
namespace {

constexpr int kCount = 20000;

// Seconds for each of `count` calls.
template <typename Function>
double Seconds(int count, Function function) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) function(i);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return taken.count() / count;
}

void Print(const char* what, double seconds, double unit) {
  std::printf("%-42s %8.2f us  %7.1f evaluations\n", what, seconds * 1e6, seconds / unit);
}

void Run() {
  testing::RandomTrees random(7);
  std::vector<std::unique_ptr<testing::Tree>> trees;
  std::vector<Ranges> ranges;
  std::vector<Expr> built(kCount);
  std::vector<std::string> texts(kCount);
  for (int i = 0; i < kCount; ++i) {
    trees.push_back(random.Make(4));
    ranges.push_back(random.MakeRanges());
  }
  const double build = Seconds(kCount, [&](int i) { built[i] = trees[i]->Build(); });
  for (Expr& e : built) {
    if (e.is_undefined()) e = Expr(0);
  }
  const Point point = {{3, 5}, {2}, {1}};
  int64_t sum = 0;
  const double evaluate = Seconds(kCount, [&](int i) { sum += built[i].Evaluate(point).ok(); });
  CHECK_GT(sum, 0);
  std::printf("random expressions of depth 4, %d\n", kCount);
  Print("evaluate", evaluate, evaluate);
  Print("build, operator by operator", build, evaluate);
  Print("simplify", Seconds(kCount, [&](int i) { (void)Simplify(built[i], ranges[i]); }), evaluate);
  Print("print", Seconds(kCount, [&](int i) { texts[i] = built[i].ToString(); }), evaluate);
  Print("parse", Seconds(kCount, [&](int i) { CHECK(ParseExpr(texts[i]).ok()); }), evaluate);

  const absl::StatusOr<IndexMap> reshape = ParseIndexMap(
      "(d0, d1, d2) -> (d0 * 2 + d1 / 2, (d1 mod 2) * 4 + d2), domain: d0 in [0, 1], d1 in [0, 3], "
      "d2 in [0, 3]");
  const absl::StatusOr<IndexMap> window = ParseIndexMap(
      "(d0, d1)[s0, s1] -> (d0 * 2 + s0 - 1, d1 + s1), domain: d0 in [0, 3], d1 in [0, 5], s0 in "
      "[0, 2], s1 in [0, 1], d0 * 2 + s0 in [1, 13]");
  CHECK(reshape.ok() && window.ok());
  std::printf("maps\n");
  Print("simplify a reshape", Seconds(2000, [&](int) { (void)reshape->Simplified(); }), evaluate);
  Print("compose a window with its reshape",
        Seconds(2000, [&](int) { CHECK(Compose(*reshape, *window).ok()); }), evaluate);
  Print("invert a reshape", Seconds(2000, [&](int) { CHECK(Invert(*reshape).ok()); }), evaluate);
}

}  // namespace
}  // namespace warpyard::symbolic

int main() { warpyard::symbolic::Run(); }
