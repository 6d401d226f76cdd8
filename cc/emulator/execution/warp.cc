// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/warp.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/block_state.h"
#include "cc/emulator/execution/launch_state.h"
#include "cc/emulator/execution/observer.h"
#include "cc/emulator/execution/warp_state.h"

namespace warpyard::emulator {
namespace {

using syntax::StateSpace;

std::string_view Verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::kRead:
      return "read";
    case AccessKind::kWrite:
      return "write";
    case AccessKind::kAtomic:
      return "atomic operation";
  }
  return "access";
}

std::string SourceOf(const Launch& launch, const Instruction& instruction) {
  if (instruction.syntax == nullptr) return "";
  const syntax::SourceLine& line = instruction.syntax->source;
  if (line.line != 0) {
    for (const syntax::SourceFile& file : launch.program().syntax.files) {
      if (file.index == line.file) return absl::StrCat(file.path, ":", line.line);
    }
  }
  return absl::StrCat("PTX line ", instruction.syntax->position.line);
}

}  // namespace

Next Warp::RaiseFault(const Instruction& instruction, int lane, FaultKind kind, std::string what,
                      std::string detail) {
  const Launch& launch = *state->launch;
  Fault fault;
  fault.kind = kind;
  fault.what = std::move(what);
  fault.detail = std::move(detail);
  fault.kernel = std::string(launch.function().name);
  fault.source = SourceOf(launch, instruction);
  if (instruction.syntax != nullptr) {
    fault.text = std::string(absl::StripAsciiWhitespace(instruction.syntax->text));
  }
  for (int i = 0; i < 3; ++i) fault.block[i] = block_->index()[i];
  fault.has_block = true;
  if (lane >= 0) {
    for (int i = 0; i < 3; ++i) fault.thread[i] = state->special.tid[i][lane];
    fault.has_thread = true;
  }
  state->faulted = true;
  const_cast<Launch&>(launch).SetFault(block_->state->cluster_index, std::move(fault));
  return Next::kFault;
}

std::byte* Warp::FindGlobal(uint64_t address, uint32_t bytes, bool write) {
  State& s = *state;
  const Launch& launch = *s.launch;
  std::byte* const memory = reinterpret_cast<std::byte*>(address);
  for (int attempt = 0; attempt < 2; ++attempt) {
    const Allocation* found = MemoryMap::Find(*s.snapshot, address);
    if (found != nullptr && found->Contains(address, bytes)) {
      const bool reachable =
          found->device < 0 || found->device == launch.config().ordinal ||
          (found->device < 64 && (launch.config().reachable_devices >> found->device & 1) != 0);
      if (!reachable || (write && found->read_only)) return nullptr;
      s.cached_base = found->base;
      s.cached_size = found->size;
      s.cached_read_only = found->read_only;
      return memory;
    }
    if (!s.RefreshSnapshot()) break;
  }
  const uint64_t parameters = reinterpret_cast<uint64_t>(launch.parameters());
  if (!write && address >= parameters && bytes <= launch.parameter_bytes() &&
      address - parameters <= launch.parameter_bytes() - bytes) {
    return memory;
  }
  const uint64_t workspace = launch.grid_workspace();
  if (address >= workspace && address - workspace <= launch.grid_workspace_bytes() - bytes &&
      bytes <= launch.grid_workspace_bytes()) {
    return memory;
  }
  return nullptr;
}

std::byte* Warp::Access(const Instruction& instruction, int lane, StateSpace space,
                        uint64_t address, uint32_t bytes, uint32_t alignment, AccessKind kind,
                        Proxy proxy) {
  State& s = *state;
  const uint64_t shown = address;
  if (space == StateSpace::kNone || space == StateSpace::kParam) {
    if (IsShared(address)) {
      space = StateSpace::kShared;
      address &= ~kWindowMask;
    } else if (IsLocal(address)) {
      space = StateSpace::kLocal;
      address &= ~kWindowMask;
    } else {
      space = StateSpace::kGlobal;
    }
  }
  if ((address & (alignment - 1)) != 0) {
    RaiseFault(instruction, lane, FaultKind::kMisalignedAddress,
               absl::StrFormat("misaligned %s of %u bytes at 0x%x", Verb(kind), bytes, shown),
               absl::StrFormat("the address must be a multiple of %u", alignment));
    return nullptr;
  }
  const auto out_of_bounds = [&](std::string_view where, std::string detail) -> std::byte* {
    RaiseFault(
        instruction, lane, FaultKind::kIllegalAddress,
        absl::StrFormat("out-of-bounds %s of %u bytes%s at 0x%x", Verb(kind), bytes, where, shown),
        std::move(detail));
    return nullptr;
  };
  std::byte* memory = nullptr;
  Block* owner = nullptr;
  switch (space) {
    case StateSpace::kShared: {
      if (address >> 32 != 0) {
        return out_of_bounds(" of shared memory", "shared addresses have 32 bits");
      }
      const uint32_t offset = static_cast<uint32_t>(address) & kSharedOffsetMask;
      Block* const target = block_->cluster().Find(static_cast<uint32_t>(address));
      if (target == nullptr) {
        return out_of_bounds(" of shared memory",
                             absl::StrCat("block ", address >> kClusterRankShift,
                                          " of a cluster of ", block_->cluster().blocks().size()));
      }
      const uint32_t first = target->shared_offset();
      if (offset < first || bytes > target->shared_bytes() ||
          offset - first > target->shared_bytes() - bytes) {
        return out_of_bounds(
            " of shared memory",
            absl::StrFormat("the block has %u bytes from 0x%x on", target->shared_bytes(),
                            (static_cast<uint32_t>(address) & ~kSharedOffsetMask) | first));
      }
      memory = target->shared() + (offset - first);
      owner = target;
      break;
    }
    case StateSpace::kLocal:
      if (bytes > s.local_top[lane] || address > s.local_top[lane] - bytes) {
        return out_of_bounds(" of local memory",
                             absl::StrCat("the thread uses ", s.local_top[lane], " bytes"));
      }
      memory = s.local.get() + lane * s.local_stride + address;
      break;
    default: {
      memory = FindGlobal(address, bytes, kind != AccessKind::kRead);
      if (memory == nullptr) {
        const std::shared_ptr<const MemoryMap::Snapshot> now = s.launch->config().memory->Get();
        const Allocation* found = MemoryMap::Find(*now, address);
        if (found != nullptr && found->Contains(address, bytes)) {
          const bool foreign = found->device >= 0 && found->device != s.launch->config().ordinal;
          RaiseFault(instruction, lane, FaultKind::kIllegalAddress,
                     absl::StrFormat("%s of %u bytes at 0x%x", Verb(kind), bytes, shown),
                     foreign && (kind == AccessKind::kRead || !found->read_only)
                         ? absl::StrCat("memory of device ", found->device,
                                        ", to which peer access is not enabled")
                         : absl::StrCat("the memory is read-only", found->label.empty() ? "" : ": ",
                                        found->label));
          return nullptr;
        }
        return out_of_bounds("", s.launch->config().memory->Describe(address, bytes));
      }
      space = StateSpace::kGlobal;
      break;
    }
  }
  if (s.observer != nullptr) {
    MemoryAccess access;
    access.space = space;
    access.kind = kind;
    access.proxy = proxy;
    access.mask = uint32_t{1} << lane;
    access.bytes = bytes;
    std::byte* pointers[kWarpSize];
    Block* owners[kWarpSize];
    pointers[lane] = memory;
    owners[lane] = owner;
    access.memory = pointers;
    access.owner = owner == nullptr || owner == block_ ? nullptr : owners;
    s.observer->OnAccess(*this, instruction, access);
    if (s.faulted) return nullptr;
  }
  return memory;
}

}  // namespace warpyard::emulator
