// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: any text gives a map or a status. A map's text comes back as the
// same map, and it can be simplified, evaluated, composed and inverted.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/log/check.h"
#include "absl/status/statusor.h"
#include "cc/symbolic/expr.h"
#include "cc/symbolic/index_map.h"
#include "cc/symbolic/interval.h"
#include "cc/symbolic/map_algebra.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpyard::symbolic;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<IndexMap> map = ParseIndexMap(text);
  if (!map.ok()) {
    CHECK(!map.status().message().empty());
    return 0;
  }
  const std::string printed = map->ToString();
  const absl::StatusOr<IndexMap> back = ParseIndexMap(printed);
  CHECK(back.ok()) << printed << ": " << back.status();
  CHECK(*back == *map) << printed << " and " << *back;
  const IndexMap simple = map->Simplified();
  Point point;
  for (const VariableKind kind : kVariableKinds) {
    for (const Interval& range : map->ranges().of(kind)) point.of(kind).push_back(range.lower);
  }
  (void)map->InDomain(point);
  (void)map->Evaluate(point);
  (void)simple.Evaluate(point);
  if (simple.results().size() < 8) {
    (void)Invert(simple);
    (void)Compose(simple, simple);
  }
  return 0;
}
