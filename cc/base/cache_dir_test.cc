// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/cache_dir.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

TEST(CacheDirTest, TheOwnVariableIsTakenAsItIs) {
  EXPECT_EQ(*CacheDir(Environment(
                Environment::Variables{{"WARPYARD_CACHE_DIR", "/w"}, {"XDG_CACHE_HOME", "/x"}})),
            "/w");
}

TEST(CacheDirTest, XdgComesBeforeHome) {
  EXPECT_EQ(
      *CacheDir(Environment(Environment::Variables{{"XDG_CACHE_HOME", "/x"}, {"HOME", "/h"}})),
      "/x/warpyard");
}

TEST(CacheDirTest, ARelativeXdgFolderIsIgnored) {
  EXPECT_EQ(*CacheDir(Environment(Environment::Variables{{"XDG_CACHE_HOME", "x"}, {"HOME", "/h"}})),
            "/h/.cache/warpyard");
}

TEST(CacheDirTest, HomeIsTheLastResort) {
  EXPECT_EQ(
      *CacheDir(Environment(Environment::Variables{{"HOME", "/h"}, {"WARPYARD_CACHE_DIR", ""}})),
      "/h/.cache/warpyard");
}

TEST(CacheDirTest, SaysWhichVariableToSet) {
  const auto dir = CacheDir(Environment());
  EXPECT_EQ(dir.status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(absl::StrContains(dir.status().message(), "WARPYARD_CACHE_DIR")) << dir.status();
}

}  // namespace
}  // namespace warpyard
