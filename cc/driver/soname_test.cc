// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/driver/soname.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cc/base/file.h"
#include "cc/base/memory_file.h"
#include "gtest/gtest.h"

namespace warpyard::driver {
namespace {

std::string Library() { return ReadFile(std::getenv("WARPYARD_FAKE_DRIVER"), 64 << 20).value(); }

// Loads the bytes and asks the loader for a library of the name.
bool AnswersTo(const std::string& bytes, const char* name) {
  const MemoryFile file = MemoryFile::Create(bytes).value();
  void* const handle = dlopen(absl::StrCat("/proc/self/fd/", file.fd()).c_str(), RTLD_NOW);
  EXPECT_NE(handle, nullptr) << dlerror();
  if (handle == nullptr) return false;
  EXPECT_NE(dlsym(handle, "cuInit"), nullptr);
  void* const found = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
  if (found != nullptr) dlclose(found);
  dlclose(handle);
  return found != nullptr;
}

TEST(SonameTest, TheLoaderForgetsTheName) {
  std::string library = Library();
  ASSERT_TRUE(AnswersTo(library, "libwarpyard_fake_cuda.so.1"));
  ASSERT_TRUE(DropSoname(library).ok());
  EXPECT_FALSE(AnswersTo(library, "libwarpyard_fake_cuda.so.1"));
  EXPECT_TRUE(DropSoname(library).ok());  // nothing to drop
}

TEST(SonameTest, DamagedBytes) {
  const std::string library = Library();
  std::string nothing;
  EXPECT_EQ(DropSoname(nothing).code(), absl::StatusCode::kInvalidArgument);
  std::string text(1000, 'x');
  EXPECT_EQ(DropSoname(text).code(), absl::StatusCode::kInvalidArgument);
  for (size_t size = 1; size < 2000; size += 7) {
    std::string cut = library.substr(0, size);
    EXPECT_EQ(DropSoname(cut).code(), absl::StatusCode::kInvalidArgument) << size;
  }
  // Any byte of the headers changed: a status, and no access out of bounds.
  for (size_t at = 0; at < 1000; ++at) {
    std::string changed = library;
    changed[at] = static_cast<char>(0xff);
    DropSoname(changed).IgnoreError();
  }
}

}  // namespace
}  // namespace warpyard::driver
