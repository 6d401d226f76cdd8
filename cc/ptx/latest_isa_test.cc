// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/latest_isa.h"

#include "absl/status/status.h"
#include "cc/base/version.h"
#include "cc/ptx/ptx_header.h"
#include "cc/target/compute_capability.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

using ::testing::HasSubstr;

TEST(IsaProbe, IsPtxForTheTarget) {
  const PtxHeader header = ReadPtxHeader(IsaProbe({7, 5}), "probe").value();
  EXPECT_EQ(header.isa, Version(99, 9));
  EXPECT_EQ(header.target, ComputeCapability(7, 5));
}

TEST(LatestIsaInRefusal, ReadsTheVersion) {
  EXPECT_EQ(LatestIsaInRefusal("ptxas application ptx input, line 1; fatal   : Unsupported "
                               ".version 99.9; current version is '9.5'\nERROR 4")
                .value(),
            Version(9, 5));
}

TEST(LatestIsaInRefusal, QuotesALogThatDoesNotTell) {
  for (const char* log : {"", "something else", "current version is '", "current version is 'x'"}) {
    const absl::Status status = LatestIsaInRefusal(log).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
    EXPECT_THAT(status.message(), HasSubstr(log));
  }
}

}  // namespace
}  // namespace warpyard::ptx
