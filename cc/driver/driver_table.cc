// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/driver/driver_table.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "cc/base/dynamic_library.h"
#include "cc/base/status_macros.h"
#include "cc/driver/result_code.h"
#include "cc/ptx/compile_log_status.h"

// The name of a symbol after <cuda.h>'s macros.
#define WARPYARD_SYMBOL_TEXT(symbol) #symbol
#define WARPYARD_SYMBOL(function) WARPYARD_SYMBOL_TEXT(function)

namespace warpyard::driver {

absl::StatusOr<DriverTable> DriverTable::Open(const std::string& path) {
  WARPYARD_ASSIGN_OR_RETURN(
      const DynamicLibrary library,
      DynamicLibrary::Open(path,
                           "Install an NVIDIA driver, or emulate a GPU: WARPYARD_EMULATE=h100"));
  DriverTable table;
  SymbolBinder binder(library);
#define WARPYARD_BIND_REQUIRED(function) binder.Required(WARPYARD_SYMBOL(function), table.function);
#define WARPYARD_BIND_OPTIONAL(function) binder.Optional(WARPYARD_SYMBOL(function), table.function);
  WARPYARD_REQUIRED_DRIVER_FUNCTIONS(WARPYARD_BIND_REQUIRED)
  WARPYARD_OPTIONAL_DRIVER_FUNCTIONS(WARPYARD_BIND_OPTIONAL)
#undef WARPYARD_BIND_REQUIRED
#undef WARPYARD_BIND_OPTIONAL
  binder.Optional("cuEventElapsedTime_v2", table.event_elapsed_time);
  if (table.event_elapsed_time == nullptr) {
    binder.Optional("cuEventElapsedTime", table.event_elapsed_time);
  }
  binder.Optional("warpyardControlVersion", table.control_version);
  binder.Optional("warpyardSetDevices", table.set_devices);
  binder.Optional("warpyardSetSanitizer", table.set_sanitizer);
  binder.Optional("warpyardSetProfile", table.set_profile);
  binder.Optional("warpyardTakeReports", table.take_reports);
  binder.Optional("warpyardTakeProfiles", table.take_profiles);
  WARPYARD_RETURN_IF_ERROR(binder.Finish());
  return table;
}

absl::Status DriverError(const DriverTable& table, std::string_view call, CUresult result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (table.cuGetErrorName(result, &name) != CUDA_SUCCESS) name = nullptr;
  if (table.cuGetErrorString(result, &text) != CUDA_SUCCESS) text = nullptr;
  std::string message = absl::StrCat(
      call, " failed: ", text != nullptr ? text : "an error that the driver cannot name", " (",
      name != nullptr ? name : "CUresult", ", ", static_cast<int>(result), ")");
  const std::string report = TakeText(table.take_reports);
  if (!report.empty()) absl::StrAppend(&message, "\n", report);
  return ptx::AttachLog(absl::Status(StatusCodeOf(result), message), report);
}

absl::Status MissingFunction(std::string_view call) {
  return absl::UnimplementedError(absl::StrCat(
      call, " is missing from this CUDA driver; it is too old, or a stub. Install a newer one"));
}

std::string TakeText(size_t (*take)(char*, size_t)) {
  if (take == nullptr) return "";
  // Another thread may take, or add, between the two calls.
  std::string text;
  for (size_t needed = take(nullptr, 0); needed > text.size();) {
    text.resize(needed);
    needed = take(text.data(), text.size());
  }
  text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  // Compilers are run in a folder that they know as this (cc/base/
  // private_working_directory.h), and put it before names that are relative.
  return absl::StrReplaceAll(text, {{"/proc/self/cwd/", ""}});
}

}  // namespace warpyard::driver
