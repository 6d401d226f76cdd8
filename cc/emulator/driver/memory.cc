// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/memory.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "cc/emulator/device/host_pages.h"

namespace warpyard::emulator::driver {
namespace {

using Kind = MemoryRecord::Kind;

AllocationKind KindForKernels(Kind kind) {
  switch (kind) {
    case Kind::kHost:
    case Kind::kRegistered:
      return AllocationKind::kHost;
    case Kind::kManaged:
      return AllocationKind::kManaged;
    case Kind::kVariable:
      return AllocationKind::kModule;
    default:
      return AllocationKind::kDevice;
  }
}

uint64_t Charge(uint64_t bytes) {
  return (bytes + kDeviceAlignment - 1) / kDeviceAlignment * kDeviceAlignment;
}

// What a context made goes with it.
void ReleaseMemoryOf(Context& context) {
  for (const MemoryRecordPtr& record : MemoryTable::Get().All()) {
    if (record->context.get() != &context || record->kind == Kind::kVariable) continue;
    if (MemoryTable::Get().Remove(record->base) != nullptr) ReleaseMemory(*record);
  }
}

const bool registered = [] {
  AtContextDestruction(&ReleaseMemoryOf);
  return true;
}();

}  // namespace

MemoryTable& MemoryTable::Get() {
  static MemoryTable& table = *new MemoryTable;
  return table;
}

CUresult MemoryTable::Add(MemoryRecordPtr record) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto after = records_.lower_bound(record->base);
  if (after != records_.end() && after->first < record->base + record->size) {
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  }
  if (after != records_.begin()) {
    const MemoryRecord& before = *std::prev(after)->second;
    if (before.base + before.size > record->base) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  }
  record->buffer_id = next_id_++;
  if (record->kind != Kind::kVariable) {
    Allocation allocation;
    allocation.base = record->base;
    allocation.size = record->size;
    allocation.kind = KindForKernels(record->kind);
    allocation.device =
        record->host() || record->device == nullptr ? -1 : record->device->ordinal();
    allocation.id = record->buffer_id;
    allocation.read_only =
        record->kind == Kind::kRegistered && (record->flags & CU_MEMHOSTREGISTER_READ_ONLY) != 0;
    if (const absl::Status status = MemoryMap::Process().Add(std::move(allocation)); !status.ok()) {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  records_.emplace(record->base, std::move(record));
  return CUDA_SUCCESS;
}

MemoryRecordPtr MemoryTable::FindBase(uint64_t base) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = records_.find(base);
  return found == records_.end() ? nullptr : found->second;
}

MemoryRecordPtr MemoryTable::Find(uint64_t address) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto after = records_.upper_bound(address);
  if (after == records_.begin()) return nullptr;
  const MemoryRecordPtr& record = std::prev(after)->second;
  return address - record->base < record->size ? record : nullptr;
}

MemoryRecordPtr MemoryTable::Remove(uint64_t base,
                                    const std::function<bool(const MemoryRecord&)>& accept) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = records_.find(base);
  if (found == records_.end()) return nullptr;
  if (accept != nullptr && !accept(*found->second)) return nullptr;
  MemoryRecordPtr record = std::move(found->second);
  records_.erase(found);
  if (record->kind != Kind::kVariable) MemoryMap::Process().Remove(base).IgnoreError();
  return record;
}

bool MemoryTable::Covers(uint64_t address, uint64_t bytes) const {
  if (bytes == 0) return true;
  if (address + bytes < address) return false;
  const std::lock_guard<std::mutex> lock(mutex_);
  auto it = records_.upper_bound(address);
  if (it == records_.begin()) return false;
  uint64_t covered = address;
  for (--it; it != records_.end(); ++it) {
    const MemoryRecord& record = *it->second;
    if (covered < record.base || covered - record.base >= record.size) return false;
    covered = record.base + record.size;
    if (covered >= address + bytes) return true;
  }
  return false;
}

std::vector<MemoryRecordPtr> MemoryTable::All() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<MemoryRecordPtr> all;
  all.reserve(records_.size());
  for (const auto& [base, record] : records_) all.push_back(record);
  return all;
}

CUresult AllocateDeviceMemory(Context& context, uint64_t bytes, Kind kind,
                              MemoryRecordPtr* result) {
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  Device& device = context.device();
  if (bytes > device.budget.capacity()) return CUDA_ERROR_OUT_OF_MEMORY;
  auto record = std::make_shared<MemoryRecord>();
  record->size = bytes;
  record->kind = kind;
  record->device = &device;
  record->context = context.shared_from_this();
  record->charged = Charge(bytes);
  if (!device.budget.Take(record->charged)) return CUDA_ERROR_OUT_OF_MEMORY;
  void* const pages = Driver::Get().pages().Allocate(bytes);
  if (pages == nullptr) {
    device.budget.Give(record->charged);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  record->base = reinterpret_cast<uint64_t>(pages);
  if (const CUresult added = MemoryTable::Get().Add(record); added != CUDA_SUCCESS) {
    ReleaseMemory(*record);
    return CUDA_ERROR_UNKNOWN;
  }
  *result = std::move(record);
  return CUDA_SUCCESS;
}

void ReleaseMemory(const MemoryRecord& record) {
  if (record.charged > 0 && record.device != nullptr) record.device->budget.Give(record.charged);
  if (record.keeps != nullptr) return;  // its pages go with what keeps them
  switch (record.kind) {
    case Kind::kDevice:
    case Kind::kPool:
    case Kind::kManaged:
    case Kind::kHost:
    case Kind::kVariable:
    case Kind::kGraph:
      Driver::Get().pages().Free(HostPointer(record.base), record.size);
      break;
    case Kind::kRegistered:
    case Kind::kMapped:
    case Kind::kImported:
      break;
  }
}

CUresult CheckDeviceRange(CUdeviceptr address, uint64_t bytes) {
  return MemoryTable::Get().Covers(address, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace warpyard::emulator::driver
