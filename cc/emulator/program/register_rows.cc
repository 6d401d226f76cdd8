// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/program/register_rows.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cc/emulator/program/scopes.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::Operand;
using syntax::Statement;

constexpr uint64_t kMaxFrame = uint64_t{1} << 30;

// Where a register is named, as numbers of instructions.
struct Interval {
  uint32_t first = std::numeric_limits<uint32_t>::max();
  uint32_t last = 0;
  uint32_t block = 0;  // basic block of the first mention
  // All mentions are in that block and the first writes the register in every lane.
  bool is_temporary = true;
  bool whole_function = false;

  bool used() const { return first != std::numeric_limits<uint32_t>::max(); }
};

class IntervalBuilder {
 public:
  IntervalBuilder(const syntax::Function& function, Scopes& scopes)
      : function_(function), scopes_(scopes), cursor_(scopes) {}

  std::vector<Interval> Build() {
    instruction_of_statement_.reserve(function_.statements.size());
    uint32_t next = 0;
    for (const Statement& statement : function_.statements) {
      instruction_of_statement_.push_back(next);
      next += statement.kind == Statement::Kind::kInstruction;
    }
    for (const Statement& statement : function_.statements) {
      cursor_.Enter(statement);
      if (statement.kind == Statement::Kind::kLabel) ++block_;
      if (statement.kind == Statement::Kind::kInstruction) {
        Visit(function_.instructions[statement.index]);
        ++at_;
      }
    }
    // Parameters and results that are registers are handed over outside of the text.
    for (const auto* list : {&function_.parameters, &function_.results}) {
      for (const syntax::Variable& variable : *list) MentionName(variable.name, "", false, true);
    }
    Extend();
    return std::move(intervals_);
  }

 private:
  void Visit(const syntax::Instruction& instruction) {
    // Written after the instruction has been issued.
    const bool asynchronous = instruction.opcode == "wgmma" || instruction.opcode == "tcgen05";
    // Sources first: `add r, r, 1` reads r, so that r is no temporary.
    if (!instruction.guard.empty()) MentionName(instruction.guard, "", false, asynchronous);
    for (size_t i = 1; i < instruction.operands.size(); ++i) {
      Mention(instruction.operands[i], false, asynchronous);
    }
    if (!instruction.operands.empty()) {
      const bool writes = instruction.guard.empty() && WritesFirstOperand(instruction.opcode);
      Mention(instruction.operands[0], writes, asynchronous);
    }
    if (instruction.opcode == "bra") {
      if (!instruction.operands.empty()) JumpTo(instruction.operands[0].identifier);
      ++block_;
    } else if (instruction.opcode == "brx") {
      if (instruction.operands.size() > 1) {
        if (const syntax::LabelledDirective* targets =
                scopes_.FindLabelled(cursor_.scope(), instruction.operands[1].identifier)) {
          for (std::string_view target : targets->targets) JumpTo(target);
        }
        for (const Operand& target : instruction.operands[1].elements) JumpTo(target.identifier);
      }
      ++block_;
    }
  }

  // Whether the first operand, where it is a register, is one that is only written.
  // Unsure is no: the register then keeps its row for longer.
  static bool WritesFirstOperand(std::string_view opcode) {
    for (std::string_view other :
         {"bar", "barrier", "nanosleep", "stackrestore", "brx", "bra", "call", "wgmma", "tcgen05",
          "setmaxnreg", "st", "red", "pmevent", "mbarrier"}) {
      if (opcode == other) return false;
    }
    return true;
  }

  void Mention(const Operand& operand, bool writes, bool asynchronous) {
    if (operand.kind == Operand::Kind::kIdentifier) {
      MentionName(operand.identifier, operand.component, writes, asynchronous);
    }
    const bool still =
        writes && (operand.kind == Operand::Kind::kVector || operand.kind == Operand::Kind::kPair);
    for (const Operand& element : operand.elements) Mention(element, still, asynchronous);
  }

  void MentionName(std::string_view name, std::string_view component, bool writes,
                   bool asynchronous) {
    const std::optional<Entity> entity = scopes_.Find(cursor_.scope(), name);
    if (!entity.has_value() || entity->kind != Entity::Kind::kRegister) return;
    intervals_.resize(std::max<size_t>(intervals_.size(), scopes_.register_count()));
    // A component of a vector keeps all of them: vectors of registers are rare.
    const bool whole = component.empty() && entity->vector_size == 1;
    for (uint32_t i = 0; i < entity->vector_size; ++i) {
      Interval& interval = intervals_[entity->index + i];
      if (!interval.used()) {
        interval.first = at_;
        interval.block = block_;
        interval.is_temporary = writes && whole;
      }
      interval.last = at_;
      if (interval.block != block_) interval.is_temporary = false;
      if (asynchronous) interval.whole_function = true;
    }
  }

  void JumpTo(std::string_view label) {
    const std::optional<uint32_t> statement = scopes_.FindLabel(cursor_.scope(), label);
    if (!statement.has_value()) return;
    const uint32_t target = instruction_of_statement_[*statement];
    if (target <= at_) loops_.push_back({target, at_});
  }

  // Backward jumps make ranges that may be run again; a register needed inside and
  // out of one, or in several of its blocks, is kept for all of it.
  void Extend() {
    std::sort(loops_.begin(), loops_.end());
    std::vector<std::pair<uint32_t, uint32_t>> merged;
    for (const auto& loop : loops_) {
      if (!merged.empty() && loop.first <= merged.back().second) {
        merged.back().second = std::max(merged.back().second, loop.second);
      } else {
        merged.push_back(loop);
      }
    }
    intervals_.resize(scopes_.register_count());
    for (Interval& interval : intervals_) {
      if (!interval.used()) continue;
      if (interval.whole_function) {
        interval.first = 0;
        interval.last = at_;
        continue;
      }
      if (interval.is_temporary) continue;
      // The first and the last range that overlap it; the others lie between.
      const auto low = std::lower_bound(merged.begin(), merged.end(), interval.first,
                                        [](const std::pair<uint32_t, uint32_t>& range,
                                           uint32_t at) { return range.second < at; });
      const auto high = std::upper_bound(
          low, merged.end(), interval.last,
          [](uint32_t at, const std::pair<uint32_t, uint32_t>& range) { return at < range.first; });
      if (low == high) continue;
      interval.first = std::min(interval.first, low->first);
      interval.last = std::max(interval.last, (high - 1)->second);
    }
  }

  const syntax::Function& function_;
  Scopes& scopes_;
  ScopeCursor cursor_;
  std::vector<uint32_t> instruction_of_statement_;
  std::vector<Interval> intervals_;
  std::vector<std::pair<uint32_t, uint32_t>> loops_;
  uint32_t at_ = 0;
  uint32_t block_ = 0;
};

}  // namespace

int RowBits(syntax::ScalarType type) {
  if (type == syntax::ScalarType::kPred) return 1;
  const int width = syntax::BitWidth(type);
  if (width == 0) return 0;
  return width <= 32 ? 32 : width;
}

uint32_t FrameLayout::Allocate(int bits) {
  uint64_t offset;
  if (bits == 1) {
    if (next_predicate_ == end_of_predicates_) {
      next_predicate_ = top_;
      top_ += 64;
      end_of_predicates_ = top_;
    }
    offset = next_predicate_;
    next_predicate_ += 4;
  } else {
    offset = top_;
    top_ += static_cast<uint64_t>(bits) / 8 * 32;
  }
  if (top_ > kMaxFrame) top_ = kMaxFrame;
  return static_cast<uint32_t>(std::min<uint64_t>(offset, kMaxFrame - 512));
}

RegisterRows AssignRows(const syntax::Function& function, Scopes& scopes, FrameLayout& frame) {
  const std::vector<Interval> intervals = IntervalBuilder(function, scopes).Build();
  RegisterRows rows;
  rows.offset.resize(intervals.size());
  std::vector<uint32_t> by_start, by_end;
  for (uint32_t i = 0; i < intervals.size(); ++i) {
    if (intervals[i].used()) by_start.push_back(i);
  }
  by_end = by_start;
  std::stable_sort(by_start.begin(), by_start.end(),
                   [&](uint32_t a, uint32_t b) { return intervals[a].first < intervals[b].first; });
  std::stable_sort(by_end.begin(), by_end.end(),
                   [&](uint32_t a, uint32_t b) { return intervals[a].last < intervals[b].last; });
  // Rows that are free again, by width; the one freed last is warm in the cache.
  std::vector<uint32_t> free_predicates, free_32, free_64, free_128;
  const auto free_rows = [&](int bits) -> std::vector<uint32_t>& {
    return bits == 1 ? free_predicates : bits == 32 ? free_32 : bits == 64 ? free_64 : free_128;
  };
  uint32_t live = 0;  // 32-bit registers
  const auto weight = [](int bits) { return bits == 1 ? 0u : static_cast<uint32_t>(bits) / 32; };
  size_t ended = 0;
  for (uint32_t id : by_start) {
    // Strictly before: a result never takes the row of a source of its own instruction.
    while (ended < by_end.size() && intervals[by_end[ended]].last < intervals[id].first) {
      const uint32_t done = by_end[ended++];
      const int bits = RowBits(scopes.register_type(done));
      free_rows(bits).push_back(rows.offset[done]);
      live -= weight(bits);
    }
    const int bits = RowBits(scopes.register_type(id));
    std::vector<uint32_t>& available = free_rows(bits);
    if (available.empty()) {
      rows.offset[id] = frame.Allocate(bits == 0 ? 32 : bits);
    } else {
      rows.offset[id] = available.back();
      available.pop_back();
    }
    live += weight(bits);
    rows.register_estimate = std::max(rows.register_estimate, live);
  }
  return rows;
}

}  // namespace warpyard::emulator
