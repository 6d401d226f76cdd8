// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/api.h"

#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cc/emulator/driver/control.h"

namespace warpyard::emulator::driver {
namespace {

thread_local int per_thread_depth = 0;

}  // namespace

void Report(std::string_view line) {
  if (!KeepReport(line)) return;
  const std::string whole = absl::StrCat("warpyard: ", line, "\n");
  std::fwrite(whole.data(), 1, whole.size(), stderr);
}

void ReportOnce(std::string_view key, std::string_view line) {
  static auto& mutex = *new std::mutex;
  static auto& seen = *new std::set<std::string, std::less<>>;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (!seen.emplace(key).second) return;
  }
  Report(line);
}

CUresult NotSupported(const char* function) {
  ReportOnce(function, absl::StrCat(function, " is not supported by the emulated driver"));
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult FromStatus(const absl::Status& status) {
  if (status.ok()) return CUDA_SUCCESS;
  Report(status.message());
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
      return CUDA_ERROR_INVALID_VALUE;
    case absl::StatusCode::kNotFound:
      return CUDA_ERROR_NOT_FOUND;
    case absl::StatusCode::kResourceExhausted:
      return CUDA_ERROR_OUT_OF_MEMORY;
    case absl::StatusCode::kUnimplemented:
      return CUDA_ERROR_NOT_SUPPORTED;
    default:
      return CUDA_ERROR_UNKNOWN;
  }
}

PerThreadDefaultStream::PerThreadDefaultStream() { ++per_thread_depth; }
PerThreadDefaultStream::~PerThreadDefaultStream() { --per_thread_depth; }
bool PerThreadDefaultStream::Active() { return per_thread_depth > 0; }

}  // namespace warpyard::emulator::driver
