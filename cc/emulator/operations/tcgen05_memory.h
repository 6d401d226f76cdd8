// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Tensor memory of a block: 512 columns of 128 lanes of 32 bits, its allocation,
// and the tcgen05 work that is under way.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_TCGEN05_MEMORY_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_TCGEN05_MEMORY_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/warp.h"

namespace warpyard::emulator {

inline constexpr uint32_t kTensorColumns = 512;
inline constexpr uint32_t kTensorLanes = 128;
inline constexpr uint32_t kTensorGranule = 32;  // columns of the least allocation

// A tensor memory address: lane in bits 16-31, column in bits 0-15.
struct TensorAddress {
  uint32_t lane, column;
  static TensorAddress Of(uint32_t address) { return {address >> 16, address & 0xffff}; }
};

class TensorMemory final : public BlockExtension {
 public:
  TensorMemory();
  static TensorMemory& Of(Block& block) {
    return block.Extension<TensorMemory>(Block::kTensorMemory);
  }

  // The 128 lanes of a column, which is below kTensorColumns.
  uint32_t* column(uint32_t i) { return words_.data() + uint64_t{i} * kTensorLanes; }

  // The first column of `columns` (a power of two) free ones; nullopt if there are
  // none now.
  std::optional<uint32_t> Allocate(uint32_t columns);
  // Gives back what Allocate gave. False where that was something else.
  bool Free(uint32_t first, uint32_t columns);
  // Whether all columns are allocated.
  bool IsAllocated(uint32_t first, uint32_t columns) const;
  bool permit_given_up = false;

  // Work of mma, cp and shift in the order it was issued; done by RunUpTo.
  void Add(std::function<void()> work) { work_.push_back(std::move(work)); }
  // A mark behind all work so far.
  uint64_t mark() const { return done_ + work_.size(); }
  void RunUpTo(uint64_t mark);

  // Stores of a warp that it has not waited for.
  std::vector<std::function<void()>>& stores(const Warp& warp);

  std::string Finish(Block& block) override;

 private:
  std::vector<uint32_t> words_;
  uint8_t owner_[kTensorColumns / kTensorGranule] = {};  // 0: free; else number of the allocation
  uint8_t next_owner_ = 1;
  std::deque<std::function<void()>> work_;
  uint64_t done_ = 0;
  std::vector<std::vector<std::function<void()>>> stores_;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_TCGEN05_MEMORY_H_
