// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/dynamic_library.h"

#include <string>
#include <string_view>
#include <system_error>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include <filesystem>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace warpyard {
namespace {

struct LoadResult {
  void* handle = nullptr;
  std::string error;
  bool absent = false;  // nothing of that name, as opposed to: it does not load
};

#ifdef _WIN32

LoadResult Load(const std::string& path) {
  LoadResult result;
  result.handle = static_cast<void*>(LoadLibraryA(path.c_str()));
  if (result.handle == nullptr) {
    const DWORD code = GetLastError();
    result.error = std::system_category().message(static_cast<int>(code));
    result.absent = code == ERROR_MOD_NOT_FOUND || code == ERROR_FILE_NOT_FOUND;
  }
  return result;
}

void* Lookup(void* handle, const char* symbol) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle), symbol));
}

#else

LoadResult Load(const std::string& path) {
  LoadResult result;
  // RTLD_NOW: a library that lacks something fails here, with a message, and
  // not in the middle of a compilation.
  result.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (result.handle == nullptr) {
    const char* error = dlerror();
    result.error = error != nullptr ? error : "the loader gave no reason";
    // The loader has no error codes. Its message opens with the file that is
    // missing, which may also be a dependency of `path`.
    result.absent = absl::StartsWith(result.error, absl::StrCat(path, ": cannot open shared"));
  }
  return result;
}

void* Lookup(void* handle, const char* symbol) { return dlsym(handle, symbol); }

#endif

}  // namespace

absl::StatusOr<DynamicLibrary> DynamicLibrary::Open(const std::string& path,
                                                    std::string_view remedy) {
  if (path.empty() || path.find('\0') != std::string::npos) {
    return absl::InvalidArgumentError("the path of a shared library is empty or holds a NUL");
  }
  LoadResult result = Load(path);
  if (result.handle != nullptr) return DynamicLibrary(path, result.handle);

  std::error_code ignored;
  if (result.absent && !std::filesystem::exists(path, ignored)) {
    return absl::NotFoundError(
        absl::StrCat("the shared library ", path, " was not found. ", remedy));
  }
  return absl::FailedPreconditionError(
      absl::StrCat("the shared library ", path, " does not load: ", result.error, ". ", remedy));
}

void* DynamicLibrary::Find(const char* symbol) const { return Lookup(handle_, symbol); }

absl::Status SymbolBinder::Finish() const {
  if (missing_.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the shared library ", library_.path(), " does not export ",
                   absl::StrJoin(missing_, ", "), "; it is another library or too old a version"));
}

}  // namespace warpyard
