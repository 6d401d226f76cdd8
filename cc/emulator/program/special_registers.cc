// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/program/special_registers.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/base/no_destructor.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "cc/emulator/execution/special_rows.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;

struct Row {
  size_t offset;
  ScalarType type = ScalarType::kU32;
  bool is_vector = false;  // .x .y .z, rows behind each other
  bool is_clock = false;
};

using Table = absl::flat_hash_map<std::string_view, Row>;

Table MakeTable() {
  using S = SpecialRows;
  constexpr ScalarType kU32 = ScalarType::kU32, kU64 = ScalarType::kU64;
  return {
      {"%tid", {offsetof(S, tid), kU32, true}},
      {"%ntid", {offsetof(S, ntid), kU32, true}},
      {"%ctaid", {offsetof(S, ctaid), kU32, true}},
      {"%nctaid", {offsetof(S, nctaid), kU32, true}},
      {"%clusterid", {offsetof(S, clusterid), kU32, true}},
      {"%nclusterid", {offsetof(S, nclusterid), kU32, true}},
      {"%cluster_ctaid", {offsetof(S, cluster_ctaid), kU32, true}},
      {"%cluster_nctaid", {offsetof(S, cluster_nctaid), kU32, true}},
      {"%cluster_ctarank", {offsetof(S, cluster_ctarank)}},
      {"%cluster_nctarank", {offsetof(S, cluster_nctarank)}},
      {"%laneid", {offsetof(S, laneid)}},
      {"%warpid", {offsetof(S, warpid)}},
      {"%nwarpid", {offsetof(S, nwarpid)}},
      {"%smid", {offsetof(S, smid)}},
      {"%nsmid", {offsetof(S, nsmid)}},
      {"%lanemask_eq", {offsetof(S, lanemask_eq)}},
      {"%lanemask_le", {offsetof(S, lanemask_le)}},
      {"%lanemask_lt", {offsetof(S, lanemask_lt)}},
      {"%lanemask_ge", {offsetof(S, lanemask_ge)}},
      {"%lanemask_gt", {offsetof(S, lanemask_gt)}},
      {"%dynamic_smem_size", {offsetof(S, dynamic_smem_size)}},
      {"%total_smem_size", {offsetof(S, total_smem_size)}},
      {"%aggr_smem_size", {offsetof(S, aggr_smem_size)}},
      {"%envreg0", {offsetof(S, envreg)}},
      {"%envreg1", {offsetof(S, envreg) + sizeof(Row32)}},
      {"%envreg2", {offsetof(S, envreg) + 2 * sizeof(Row32)}},
      {"%clock", {offsetof(S, clock), kU32, false, true}},
      {"%clock_hi", {offsetof(S, clock_hi), kU32, false, true}},
      {"%globaltimer_lo", {offsetof(S, globaltimer_lo), kU32, false, true}},
      {"%globaltimer_hi", {offsetof(S, globaltimer_hi), kU32, false, true}},
      {"%clock64", {offsetof(S, clock64), kU64, false, true}},
      {"%globaltimer", {offsetof(S, globaltimer), kU64, false, true}},
      {"%gridid", {offsetof(S, gridid), kU64}},
      {"%current_graph_exec", {offsetof(S, current_graph_exec), kU64}},
      {"%is_explicit_cluster", {offsetof(S, is_explicit_cluster), ScalarType::kPred}},
  };
}

SpecialRegister Make(size_t offset, ScalarType type, bool is_clock) {
  SpecialRegister result;
  result.row.base = RowRef::kSpecial;
  result.row.offset = static_cast<uint32_t>(offset);
  result.type = type;
  result.is_clock = is_clock;
  return result;
}

// %name0, %name31: `prefix` and a number below 32.
bool IsNumbered(std::string_view name, std::string_view prefix) {
  if (!absl::StartsWith(name, prefix)) return false;
  name.remove_prefix(prefix.size());
  if (name.empty() || name.size() > 2) return false;
  for (char c : name) {
    if (c < '0' || c > '9') return false;
  }
  return true;
}

}  // namespace

std::optional<SpecialRegister> FindSpecialRegister(std::string_view name,
                                                   std::string_view component) {
  static const absl::NoDestructor<Table> table(MakeTable());
  if (name.empty() || name[0] != '%') return std::nullopt;
  const auto found = table->find(name);
  if (found != table->end()) {
    const Row& row = found->second;
    if (row.is_vector) {
      if (component.size() != 1) return std::nullopt;
      if (component == "w") return Make(offsetof(SpecialRows, zero), row.type, false);
      if (component[0] < 'x' || component[0] > 'z') return std::nullopt;
      return Make(row.offset + sizeof(Row32) * (component[0] - 'x'), row.type, false);
    }
    if (!component.empty()) return std::nullopt;
    return Make(row.offset, row.type, row.is_clock);
  }
  // Performance counters count nothing here, and the driver's other
  // environment registers are zero.
  if (component.empty() && (IsNumbered(name, "%pm") || IsNumbered(name, "%envreg"))) {
    return Make(offsetof(SpecialRows, zero), ScalarType::kU32, false);
  }
  return std::nullopt;
}

}  // namespace warpyard::emulator
