// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/tcgen05_memory.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace warpyard::emulator {

// What nobody has written reads as NaN.
TensorMemory::TensorMemory() : words_(uint64_t{kTensorColumns} * kTensorLanes, 0xffffffffu) {}

std::optional<uint32_t> TensorMemory::Allocate(uint32_t columns) {
  const uint32_t granules = columns / kTensorGranule;
  constexpr uint32_t kGranules = kTensorColumns / kTensorGranule;
  for (uint32_t at = 0; at + granules <= kGranules; ++at) {
    if (!std::all_of(owner_ + at, owner_ + at + granules, [](uint8_t o) { return o == 0; })) {
      continue;
    }
    std::fill_n(owner_ + at, granules, next_owner_);
    next_owner_ = static_cast<uint8_t>(next_owner_ % 255 + 1);
    return at * kTensorGranule;
  }
  return std::nullopt;
}

bool TensorMemory::Free(uint32_t first, uint32_t columns) {
  if (!IsAllocated(first, columns) || first % kTensorGranule != 0) return false;
  uint8_t* const begin = owner_ + first / kTensorGranule;
  uint8_t* const end = begin + columns / kTensorGranule;
  const uint8_t owner = *begin;
  const bool whole = std::all_of(begin, end, [owner](uint8_t o) { return o == owner; }) &&
                     (end == std::end(owner_) || *end != owner) &&
                     (begin == owner_ || begin[-1] != owner);
  if (whole) std::fill(begin, end, 0);
  return whole;
}

bool TensorMemory::IsAllocated(uint32_t first, uint32_t columns) const {
  if (first >= kTensorColumns || columns > kTensorColumns - first) return false;
  for (uint32_t at = first / kTensorGranule; at * kTensorGranule < first + columns; ++at) {
    if (owner_[at] == 0) return false;
  }
  return true;
}

void TensorMemory::RunUpTo(uint64_t mark) {
  while (done_ < mark && !work_.empty()) {
    const std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    ++done_;
    work();
  }
}

std::vector<std::function<void()>>& TensorMemory::stores(const Warp& warp) {
  if (stores_.size() <= warp.index_in_block()) stores_.resize(warp.index_in_block() + 1);
  return stores_[warp.index_in_block()];
}

std::string TensorMemory::Finish(Block& block) {
  const auto held =
      std::count_if(std::begin(owner_), std::end(owner_), [](uint8_t owner) { return owner != 0; });
  if (held == 0) return "";
  return absl::StrCat("the block ended with ", held * kTensorGranule,
                      " columns of tensor memory allocated; expected tcgen05.dealloc before");
}

}  // namespace warpyard::emulator
