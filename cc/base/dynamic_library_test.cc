// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/dynamic_library.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::HasSubstr;

constexpr char kRemedy[] = "Install it with: pip install nvidia-thing";

// libm is on every system that these tests run on, and is not what the test
// itself is about.
absl::StatusOr<DynamicLibrary> OpenMath() { return DynamicLibrary::Open("libm.so.6", kRemedy); }

TEST(DynamicLibrary, FindsAndCallsAFunction) {
  absl::StatusOr<DynamicLibrary> library = OpenMath();
  ASSERT_TRUE(library.ok()) << library.status();
  auto* cosine = reinterpret_cast<double (*)(double)>(library->Find("cos"));
  ASSERT_NE(cosine, nullptr);
  EXPECT_EQ(cosine(0.0), 1.0);
  EXPECT_EQ(library->Find("no_such_symbol"), nullptr);
  EXPECT_EQ(library->path(), "libm.so.6");
}

TEST(DynamicLibrary, AMissingFileIsNotFoundAndNamesTheRemedy) {
  for (const std::string path : {"/nowhere/libthing.so.1", "libwarpyard_no_such_library.so.7"}) {
    const absl::Status status = DynamicLibrary::Open(path, kRemedy).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
    EXPECT_THAT(status.message(), HasSubstr(path));
    EXPECT_THAT(status.message(), HasSubstr("pip install nvidia-thing"));
  }
}

TEST(DynamicLibrary, ADamagedFileIsAFailedPrecondition) {
  const std::string path = std::filesystem::path(::testing::TempDir()) / "libdamaged.so";
  std::ofstream(path) << "not an ELF file";
  const absl::Status status = DynamicLibrary::Open(path, kRemedy).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.message(), HasSubstr(path));
  EXPECT_THAT(status.message(), HasSubstr("does not load"));
}

TEST(DynamicLibrary, RejectsAnEmptyPath) {
  EXPECT_EQ(DynamicLibrary::Open("", kRemedy).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(SymbolBinder, FillsTheTable) {
  absl::StatusOr<DynamicLibrary> library = OpenMath();
  ASSERT_TRUE(library.ok()) << library.status();
  double (*sine)(double) = nullptr;
  int (*absent)() = [] { return 1; };
  SymbolBinder binder(*library);
  binder.Required("sin", sine);
  binder.Optional("no_such_symbol", absent);
  EXPECT_EQ(binder.Finish(), absl::OkStatus());
  EXPECT_EQ(sine(0.0), 0.0);
  EXPECT_EQ(absent, nullptr);
}

TEST(SymbolBinder, NamesEverythingThatIsMissing) {
  absl::StatusOr<DynamicLibrary> library = OpenMath();
  ASSERT_TRUE(library.ok()) << library.status();
  int (*first)() = nullptr;
  int (*second)() = nullptr;
  SymbolBinder binder(*library);
  binder.Required("first_missing", first);
  binder.Required("second_missing", second);
  const absl::Status status = binder.Finish();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("first_missing, second_missing"));
  EXPECT_THAT(status.message(), HasSubstr("libm.so.6"));
}

}  // namespace
}  // namespace warpyard
