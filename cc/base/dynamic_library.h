// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Shared libraries opened at run time, and tables of the functions in them.

#ifndef WARPYARD_CC_BASE_DYNAMIC_LIBRARY_H_
#define WARPYARD_CC_BASE_DYNAMIC_LIBRARY_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace warpyard {

// A handle to a loaded library. Copyable; a library stays loaded until the
// process ends, because compilers and drivers keep thread-local state and exit
// handlers that do not survive unloading.
class DynamicLibrary {
 public:
  // Loads `path`: a file, or a bare name ("libcuda.so.1") that the system's
  // loader looks for. The library's symbols stay private to the handle.
  //
  // `remedy` is a sentence that ends an error's message, e.g. "Install it with:
  // pip install nvidia-cuda-nvrtc". NOT_FOUND when there is no such file;
  // FAILED_PRECONDITION when there is one that does not load (damaged, built
  // for another machine, missing a library of its own).
  static absl::StatusOr<DynamicLibrary> Open(const std::string& path, std::string_view remedy);

  // As it was given to `Open`.
  const std::string& path() const { return path_; }

  // The address of an exported symbol, or null.
  void* Find(const char* symbol) const;

 private:
  DynamicLibrary(std::string path, void* handle) : path_(std::move(path)), handle_(handle) {}

  std::string path_;
  void* handle_;
};

// Fills a table of function pointers and reports everything that is missing at
// once.
//
//   struct Table { int (*version)(int*); int (*cancel)(); } table;
//   SymbolBinder binder(library);
//   binder.Required("toolVersion", table.version);
//   binder.Optional("toolCancel", table.cancel);   // null where it is absent
//   WARPYARD_RETURN_IF_ERROR(binder.Finish());
class SymbolBinder {
 public:
  explicit SymbolBinder(const DynamicLibrary& library) : library_(library) {}

  template <typename Function>
  void Required(const char* symbol, Function*& slot) {
    Optional(symbol, slot);
    if (slot == nullptr) missing_.push_back(symbol);
  }

  template <typename Function>
  void Optional(const char* symbol, Function*& slot) {
    slot = reinterpret_cast<Function*>(library_.Find(symbol));
  }

  // FAILED_PRECONDITION, naming every required symbol that was not there.
  absl::Status Finish() const;

 private:
  const DynamicLibrary& library_;
  std::vector<std::string> missing_;
};

}  // namespace warpyard

#endif  // WARPYARD_CC_BASE_DYNAMIC_LIBRARY_H_
