// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A dlsym that stands before glibc's in programs that run on the emulated
// driver (LD_PRELOAD): NVRTC and nvJitLink, which programs open at run time, are
// asked for PTX beside machine code.

#include <dlfcn.h>

#include <cstring>
#include <string_view>

#include "cc/emulator/driver/preload/symbols.h"

namespace warpyard::emulator::preload {
namespace {

using Lookup = void* (*)(void*, const char*);

Lookup FindReal() {
  for (const char* const version : {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"}) {
    if (void* const found = dlvsym(RTLD_NEXT, "dlsym", version)) {
      return reinterpret_cast<Lookup>(found);
    }
  }
  return nullptr;
}

Lookup Real() {
  static const Lookup real = FindReal();
  return real;
}

// Null where the name is not one that is replaced.
void* Replacement(void* handle, const char* name) {
  if (handle == RTLD_NEXT || name == nullptr) return nullptr;
  const bool nvrtc =
      std::strncmp(name, "nvrtcGetCUBIN", 13) == 0 || std::strcmp(name, "nvrtcDestroyProgram") == 0;
  const bool nvjitlink =
      std::strncmp(name, "__nvJitLink", 11) == 0 || std::strncmp(name, "nvJitLink", 9) == 0;
  if (!nvrtc && !nvjitlink) return nullptr;
  void* const real = Real()(handle, name);
  if (real == nullptr) return nullptr;
  return nvrtc ? ReplaceNvrtc(handle, name, real) : ReplaceNvjitlink(handle, name, real);
}

}  // namespace

void* RealSymbol(void* handle, const char* name) { return Real()(handle, name); }

}  // namespace warpyard::emulator::preload

// A tail call into glibc's, which looks at who called it where the handle is
// RTLD_NEXT: hence optimised in every build.
extern "C" __attribute__((visibility("default"), optimize("O2"))) void* dlsym(
    void* handle, const char* name) noexcept {
  if (void* const replacement = ::warpyard::emulator::preload::Replacement(handle, name)) {
    return replacement;
  }
  return ::warpyard::emulator::preload::Real()(handle, name);
}
