// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/toolkit_release.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

TEST(FindToolkitRelease, ReadsWhatToolsPrint) {
  EXPECT_EQ(FindToolkitRelease("nvlink: NVIDIA (R) Cuda linker\n"
                               "Cuda compilation tools, release 13.5, V13.5.37\n"
                               "Build cuda_13.5.r13.5/compiler.39125733_0\n"),
            Version(13, 5, 37));
  EXPECT_EQ(FindToolkitRelease("//\n// Cuda compilation tools, release 12.9, V12.9.86\n"),
            Version(12, 9, 86));
}

TEST(FindToolkitRelease, ReadsNotesOfBinaries) {
  EXPECT_EQ(FindToolkitRelease(
                std::string("\x7f"
                            "ELF\0ptxas\0Cuda compilation tools, release 13.5, V13.5.37\0Build",
                            61)),
            Version(13, 5, 37));
}

TEST(FindToolkitRelease, GivesNothingForAnythingElse) {
  for (const char* text : {"", "release 13.5, V13.5.37", "Cuda compilation tools, release ",
                           "Cuda compilation tools, release 13.5",
                           "Cuda compilation tools, "
                           "release 13.5, V",
                           "Cuda compilation tools, release 13.5, Vx",
                           "Cuda compilation tools, release 13.5\n, V13.5.37"}) {
    EXPECT_EQ(FindToolkitRelease(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace warpyard::ptx
