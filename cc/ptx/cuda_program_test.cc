// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/cuda_program.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cc/base/version.h"
#include "cc/target/compute_capability.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A script in the place of a program, to see how wrong answers are taken.
CudaProgram Script(std::string_view text) {
  const fs::path path = fs::path(::testing::TempDir()) / "tool";
  std::ofstream(path) << "#!/bin/sh\n" << text;
  fs::permissions(path, fs::perms::owner_all);
  return CudaProgram("tool", path.string(), CudaPart::kPtxas, {"/opt/cuda"});
}

TEST(CudaProgram, AsksForVersionAndTargets) {
  absl::StatusOr<ProgramFacts> facts =
      Script(
          "case $1 in --version) echo 'Cuda compilation tools, release 13.5, V13.5.37';; "
          "--help) echo \"Allowed values: 'sm_90a','sm_80'.\";; esac")
          .AskFacts();
  ASSERT_TRUE(facts.ok()) << facts.status();
  EXPECT_EQ(facts->version, Version(13, 5, 37));
  EXPECT_THAT(facts->targets, ElementsAre(ComputeCapability(8, 0),
                                          ComputeCapability(9, 0, ComputeCapability::Kind::kArch)));
}

TEST(CudaProgram, AnAnswerThatIsNoneIsInternal) {
  absl::Status status = Script("echo 'I am something else'").AskFacts().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(status.message(), HasSubstr("I am something else"));
  status = Script("echo broken >&2; exit 3").AskFacts().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(status.message(), HasSubstr("exit code 3: broken"));
}

TEST(CudaProgram, AMissingProgramNamesThePackage) {
  for (const CudaProgram& program :
       {CudaProgram("ptxas", "", CudaPart::kPtxas, {"/opt/cuda"}),
        CudaProgram("ptxas", "/opt/cuda/bin/ptxas", CudaPart::kPtxas, {})}) {
    for (const absl::Status& status : {program.Available(), program.AskFacts().status(),
                                       program.Run({}, absl::Seconds(10)).status()}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
      EXPECT_THAT(status.message(), HasSubstr("ptxas was not found in /opt/cuda"));
      EXPECT_THAT(status.message(), HasSubstr("pip install nvidia-cuda-nvcc"));
    }
  }
}

TEST(CudaProgram, ATimeLimitIsKept) {
  EXPECT_EQ(Script("sleep 100").Run({}, absl::Milliseconds(50)).status().code(),
            absl::StatusCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace warpyard::ptx
