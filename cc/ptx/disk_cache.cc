// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/disk_cache.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/base/file.h"
#include "cc/base/file_lock.h"
#include "cc/ptx/compile_cache.pb.h"

namespace warpyard::ptx {
namespace {

// More than the largest CUBINs of libraries; a larger file is not ours.
constexpr int64_t kMaxEntryBytes = int64_t{512} << 20;
constexpr std::string_view kEntrySuffix = ".entry";
// Eviction goes below the bound, so that not every write evicts.
constexpr double kEvictTo = 0.8;
// How much this process writes before it looks again at what others wrote.
constexpr int64_t kListEvery = int64_t{64} << 20;
// A temporary file this old belongs to a process that was killed.
constexpr absl::Duration kAbandonedAfter = absl::Hours(1);

void ToProto(const CompileResult& result, CompileResultProto& proto) {
  proto.set_ptx(result.ptx);
  proto.set_lto_ir(result.lto_ir);
  proto.set_cubin(result.cubin);
  for (const KernelResources& kernel : result.kernels) {
    KernelResourcesProto* added = proto.add_kernels();
    added->set_name(kernel.name);
    added->set_registers(kernel.registers);
    added->set_static_shared_bytes(kernel.static_shared_bytes);
    added->set_constant_bytes(kernel.constant_bytes);
    added->set_local_bytes(kernel.local_bytes);
    added->set_spill_store_bytes(kernel.spill_store_bytes);
    added->set_spill_load_bytes(kernel.spill_load_bytes);
    added->set_max_threads_per_block(kernel.max_threads_per_block);
    added->set_barriers(kernel.barriers);
  }
  for (const std::string& warning : result.warnings) proto.add_warnings(warning);
  proto.set_log(result.log);
  proto.set_provider(result.provider);
  proto.set_tool_version(result.tool_version);
  proto.set_duration_ns(absl::ToInt64Nanoseconds(result.duration));
}

CompileResult FromProto(CompileResultProto& proto) {
  CompileResult result;
  result.ptx = std::move(*proto.mutable_ptx());
  result.lto_ir = std::move(*proto.mutable_lto_ir());
  result.cubin = std::move(*proto.mutable_cubin());
  for (KernelResourcesProto& kernel : *proto.mutable_kernels()) {
    result.kernels.push_back({
        .name = std::move(*kernel.mutable_name()),
        .registers = kernel.registers(),
        .static_shared_bytes = kernel.static_shared_bytes(),
        .constant_bytes = kernel.constant_bytes(),
        .local_bytes = kernel.local_bytes(),
        .spill_store_bytes = kernel.spill_store_bytes(),
        .spill_load_bytes = kernel.spill_load_bytes(),
        .max_threads_per_block = kernel.max_threads_per_block(),
        .barriers = kernel.barriers(),
    });
  }
  for (std::string& warning : *proto.mutable_warnings()) {
    result.warnings.push_back(std::move(warning));
  }
  result.log = std::move(*proto.mutable_log());
  result.provider = std::move(*proto.mutable_provider());
  result.tool_version = std::move(*proto.mutable_tool_version());
  result.duration = absl::Nanoseconds(proto.duration_ns());
  return result;
}

struct EntryFile {
  absl::Time used;
  std::string path;
  int64_t bytes = 0;
};

// All entries below `root`; removes what killed writers left.
std::vector<EntryFile> ListEntries(const std::string& root) {
  std::vector<EntryFile> entries;
  const absl::StatusOr<std::vector<std::string>> folders = ListFolder(root);
  if (!folders.ok()) return entries;
  const absl::Time abandoned = absl::Now() - kAbandonedAfter;
  for (const std::string& folder : *folders) {
    const std::string folder_path = absl::StrCat(root, "/", folder);
    const absl::StatusOr<std::vector<std::string>> names = ListFolder(folder_path);
    if (!names.ok()) continue;  // the lock file, or gone
    for (const std::string& name : *names) {
      const std::string path = absl::StrCat(folder_path, "/", name);
      const absl::StatusOr<FileInfo> info = StatFile(path);
      if (!info.ok()) continue;  // another process removed it
      if (IsTemporaryName(name)) {
        if (info->modified < abandoned) RemoveFile(path).IgnoreError();
      } else if (absl::EndsWith(name, kEntrySuffix)) {
        entries.push_back({.used = info->modified, .path = path, .bytes = info->bytes});
      }
    }
  }
  return entries;
}

}  // namespace

std::string EncodeCacheFile(const CompileKey& key, const CompileResult& result) {
  CompileCacheEntryProto entry;
  entry.set_key(key.bytes);
  ToProto(result, *entry.mutable_result());
  CompileCacheFileProto file;
  file.set_schema(kSchemaVersion);
  file.set_entry(entry.SerializeAsString());
  const Hash128 checksum = HashBytes(file.entry());
  file.set_checksum_low(checksum.low);
  file.set_checksum_high(checksum.high);
  return file.SerializeAsString();
}

std::optional<CompileResult> DecodeCacheFile(std::string_view bytes, const CompileKey& key) {
  CompileCacheFileProto file;
  if (!file.ParseFromString(bytes)) return std::nullopt;
  if (file.schema() != kSchemaVersion) return std::nullopt;
  const Hash128 checksum = HashBytes(file.entry());
  if (checksum.low != file.checksum_low() || checksum.high != file.checksum_high()) {
    return std::nullopt;
  }
  CompileCacheEntryProto entry;
  if (!entry.ParseFromString(file.entry())) return std::nullopt;
  if (entry.key() != key.bytes) return std::nullopt;  // another key of the same hash
  return FromProto(*entry.mutable_result());
}

DiskCache::DiskCache(std::string dir, int64_t max_bytes)
    : root_(absl::StrCat(dir, "/v", kSchemaVersion)), max_bytes_(max_bytes) {}

std::string DiskCache::PathOf(const CompileKey& key) const {
  const std::string name = key.hash.ToHex();
  return absl::StrCat(root_, "/", name.substr(0, 2), "/", name, kEntrySuffix);
}

std::optional<CompileResult> DiskCache::Load(const CompileKey& key) {
  const std::string path = PathOf(key);
  const absl::StatusOr<std::string> bytes = ReadFile(path, kMaxEntryBytes);
  if (!bytes.ok()) return std::nullopt;
  std::optional<CompileResult> result = DecodeCacheFile(*bytes, key);
  // Eviction goes by the time of last modification. In a folder that is only
  // read this fails, and matters to no one.
  if (result.has_value()) TouchFile(path).IgnoreError();
  return result;
}

void DiskCache::Store(const CompileKey& key, const CompileResult& result) {
  const std::string bytes = EncodeCacheFile(key, result);
  if (static_cast<int64_t>(bytes.size()) > std::min(max_bytes_, kMaxEntryBytes)) return;
  const std::string path = PathOf(key);
  absl::Status status = WriteFileAtomically(path, bytes);
  if (absl::IsNotFound(status)) {  // the first entry of its folder
    status = MakeFolders(std::filesystem::path(path).parent_path().string());
    if (status.ok()) status = WriteFileAtomically(path, bytes);
  }
  if (!status.ok()) {
    Notice(status);
    return;
  }
  EvictIfNeeded(static_cast<int64_t>(bytes.size()));
}

void DiskCache::EvictIfNeeded(int64_t written) {
  {
    absl::MutexLock lock(mutex_);
    written_since_listing_ += written;
    if (believed_bytes_.has_value()) *believed_bytes_ += written;
    if (believed_bytes_.has_value() && *believed_bytes_ <= max_bytes_ &&
        written_since_listing_ < kListEvery) {
      return;
    }
    written_since_listing_ = 0;
  }
  std::vector<EntryFile> entries = ListEntries(root_);
  int64_t total = 0;
  for (const EntryFile& entry : entries) total += entry.bytes;
  if (total > max_bytes_) {
    // One process evicts at a time; the others need not wait for it.
    const absl::StatusOr<FileLock> lock = FileLock::TryAcquire(absl::StrCat(root_, "/evict.lock"));
    if (lock.ok()) {
      std::sort(entries.begin(), entries.end(), [](const EntryFile& a, const EntryFile& b) {
        return std::tie(a.used, a.path) < std::tie(b.used, b.path);
      });
      const auto goal = static_cast<int64_t>(static_cast<double>(max_bytes_) * kEvictTo);
      for (const EntryFile& entry : entries) {
        if (total <= goal) break;
        // A reader that has the file open still reads all of it.
        if (RemoveFile(entry.path).ok()) total -= entry.bytes;
      }
    }
  }
  absl::MutexLock lock(mutex_);
  believed_bytes_ = total;
}

void DiskCache::Notice(const absl::Status& status) {
  absl::MutexLock lock(mutex_);
  if (!told_.insert(status.code()).second) return;
  notices_.push_back(absl::StrCat(
      "compiled code is not kept on disk: ", status.message(),
      "; set WARPYARD_CACHE_DIR to a folder that can be written, or WARPYARD_COMPILE_CACHE=memory "
      "to do without"));
}

std::vector<std::string> DiskCache::TakeNotices() {
  absl::MutexLock lock(mutex_);
  return std::exchange(notices_, {});
}

}  // namespace warpyard::ptx
