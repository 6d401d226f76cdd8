// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/compile_cache.h"

#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "cc/base/cache_dir.h"

namespace warpyard::ptx {
namespace {

// "500MiB", "4GiB", "1048576".
std::optional<int64_t> ParseSize(std::string_view text) {
  static constexpr std::pair<std::string_view, int> kUnits[] = {
      {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}};
  int shift = 0;
  for (const auto& [unit, bits] : kUnits) {
    if (absl::ConsumeSuffix(&text, unit)) {
      shift = bits;
      break;
    }
  }
  int64_t value;
  if (!absl::SimpleAtoi(text, &value) || value < 0 ||
      value > (std::numeric_limits<int64_t>::max() >> shift)) {
    return std::nullopt;
  }
  return value << shift;
}

int64_t SizeOf(const CompileResult& result) {
  size_t bytes = sizeof(result) + result.ptx.size() + result.lto_ir.size() + result.cubin.size() +
                 result.log.size() + result.provider.size() + result.tool_version.size();
  for (const KernelResources& kernel : result.kernels) bytes += sizeof(kernel) + kernel.name.size();
  for (const std::string& warning : result.warnings) bytes += sizeof(warning) + warning.size();
  return static_cast<int64_t>(bytes);
}

}  // namespace

absl::StatusOr<CacheConfig> CacheConfig::FromEnvironment(const Environment& environment) {
  CacheConfig config;
  if (const auto mode = environment.Get("WARPYARD_COMPILE_CACHE")) {
    if (*mode == "off") {
      config.memory = false;
      config.disk = false;
    } else if (*mode == "memory") {
      config.disk = false;
    } else if (*mode != "disk") {
      return absl::InvalidArgumentError(absl::StrCat("WARPYARD_COMPILE_CACHE is '", *mode,
                                                     "'; it may be 'disk', 'memory' or 'off'"));
    }
  }
  if (const auto size = environment.Get("WARPYARD_COMPILE_CACHE_SIZE")) {
    const std::optional<int64_t> bytes = ParseSize(*size);
    if (!bytes.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("WARPYARD_COMPILE_CACHE_SIZE is '", *size,
                       "'; it takes a number of bytes, or one with KiB, MiB, GiB or TiB: 500MiB"));
    }
    config.disk_bytes = *bytes;
  }
  const absl::StatusOr<std::string> dir = CacheDir(environment);
  if (dir.ok()) {
    config.dir = absl::StrCat(*dir, "/compile");
  } else {
    config.disk = false;
  }
  return config;
}

// One compilation under way, and those who wait for it.
struct CompileCache::Flight {
  absl::Mutex mutex;
  bool done ABSL_GUARDED_BY(mutex) = false;
  absl::StatusOr<CompileResult> result ABSL_GUARDED_BY(mutex) = absl::UnknownError("in flight");
};

CompileCache::CompileCache(CacheConfig config) : config_(std::move(config)) {
  if (config_.disk && !config_.dir.empty()) {
    disk_ = std::make_unique<DiskCache>(config_.dir, config_.disk_bytes);
  }
}

absl::StatusOr<CompileResult> CompileCache::GetOrCompile(const CompileKey& key,
                                                         CompileFunction compile,
                                                         absl::FunctionRef<bool()> keep) {
  std::shared_ptr<Flight> flight;
  bool mine = false;
  {
    absl::MutexLock lock(mutex_);
    if (std::shared_ptr<const CompileResult> kept = FindInMemory(key)) {
      ++stats_.memory_hits;
      CompileResult result = *kept;
      result.from_cache = true;
      return result;
    }
    std::shared_ptr<Flight>& entry = flights_[key.bytes];
    if (entry == nullptr) {
      entry = std::make_shared<Flight>();
      mine = true;
    } else {
      ++stats_.joined;
    }
    flight = entry;
  }
  if (!mine) {
    absl::MutexLock lock(flight->mutex, absl::Condition(&flight->done));
    absl::StatusOr<CompileResult> result = flight->result;
    if (result.ok()) result->from_cache = true;
    return result;
  }

  absl::StatusOr<CompileResult> result = LoadOrCompile(key, compile, keep);
  {
    absl::MutexLock lock(mutex_);
    flights_.erase(key.bytes);
  }
  absl::MutexLock lock(flight->mutex);
  flight->result = result;
  flight->done = true;
  return result;
}

absl::StatusOr<CompileResult> CompileCache::LoadOrCompile(const CompileKey& key,
                                                          CompileFunction compile,
                                                          absl::FunctionRef<bool()> keep) {
  if (disk_ != nullptr) {
    if (std::optional<CompileResult> loaded = disk_->Load(key)) {
      absl::MutexLock lock(mutex_);
      ++stats_.disk_hits;
      KeepInMemory(key, std::make_shared<const CompileResult>(*loaded));
      loaded->from_cache = true;
      return *std::move(loaded);
    }
  }
  absl::StatusOr<CompileResult> result = compile();
  {
    absl::MutexLock lock(mutex_);
    ++stats_.compilations;
  }
  if (!result.ok()) return result;
  result->from_cache = false;
  if (!keep()) return result;
  if (disk_ != nullptr) disk_->Store(key, *result);
  absl::MutexLock lock(mutex_);
  KeepInMemory(key, std::make_shared<const CompileResult>(*result));
  return result;
}

std::shared_ptr<const CompileResult> CompileCache::FindInMemory(const CompileKey& key) {
  const auto found = kept_.find(key.hash);
  if (found == kept_.end() || found->second.key != key.bytes) return nullptr;
  by_age_.splice(by_age_.begin(), by_age_, found->second.place);
  return found->second.result;
}

void CompileCache::KeepInMemory(const CompileKey& key,
                                std::shared_ptr<const CompileResult> result) {
  if (!config_.memory) return;
  const int64_t bytes = SizeOf(*result) + static_cast<int64_t>(key.bytes.size());
  if (bytes > config_.memory_bytes) return;
  const auto drop = [&](std::map<Hash128, Kept>::iterator entry) {
    mutex_.AssertHeld();
    stats_.memory_bytes -= entry->second.bytes;
    by_age_.erase(entry->second.place);
    kept_.erase(entry);
  };
  if (const auto old = kept_.find(key.hash); old != kept_.end()) drop(old);
  while (stats_.memory_bytes + bytes > config_.memory_bytes) drop(kept_.find(by_age_.back()));
  by_age_.push_front(key.hash);
  kept_.emplace(
      key.hash,
      Kept{
          .key = key.bytes, .result = std::move(result), .bytes = bytes, .place = by_age_.begin()});
  stats_.memory_bytes += bytes;
}

std::vector<std::string> CompileCache::TakeNotices() {
  return disk_ == nullptr ? std::vector<std::string>() : disk_->TakeNotices();
}

CacheStats CompileCache::Stats() const {
  absl::MutexLock lock(mutex_);
  return stats_;
}

}  // namespace warpyard::ptx
