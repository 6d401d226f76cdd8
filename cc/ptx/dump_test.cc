// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/dump.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cc/base/environment.h"
#include "cc/base/file.h"
#include "cc/ptx/compile_log_status.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

absl::StatusOr<DumpConfig> Config(Environment::Variables variables) {
  return DumpConfig::FromEnvironment(Environment(std::move(variables)));
}

CompileRequest Request() {
  CompileRequest request;
  request.inputs = {{InputKind::kCudaCpp, "kernels/saxpy.cu", "source"}};
  request.target = ComputeCapability(9, 0, ComputeCapability::Kind::kArch);
  request.outputs = {OutputKind::kCubin};
  return request;
}

CompileResult Result() {
  CompileResult result;
  result.ptx = "ptx";
  result.cubin = "cubin";
  result.log = "log";
  result.tool_version = "test 1.0";
  return result;
}

absl::StatusOr<std::string> Disassemble(std::string_view cubin) {
  return absl::StrCat("sass of ", cubin);
}

class DumpTest : public testing::Test {
 protected:
  DumpTest() {
    dir_ = absl::StrCat(testing::TempDir(), "/dump_test.",
                        testing::UnitTest::GetInstance()->current_test_info()->name(), "/deep");
    std::filesystem::remove_all(dir_);
  }

  std::string Read(const std::string& extension) {
    return ReadFile(absl::StrCat(dir_, "/", DumpStem(Request(), "test 1.0"), ".", extension),
                    1 << 20)
        .value();
  }

  std::string dir_;
};

TEST(DumpConfigTest, WritesAllOrWhatIsChosen) {
  EXPECT_EQ(Config({})->dir, "");
  EXPECT_FALSE(Config({})->Wants(DumpKind::kPtx));
  EXPECT_EQ(Config({{"WARPYARD_DUMP_TO", "/d"}})->kinds.size(), 6u);
  const DumpConfig chosen =
      Config({{"WARPYARD_DUMP_TO", "/d"}, {"WARPYARD_DUMP", "ptx, sass"}}).value();
  EXPECT_EQ(chosen.kinds, (std::set<DumpKind>{DumpKind::kPtx, DumpKind::kSass}));
  EXPECT_TRUE(chosen.Wants(DumpKind::kSass));
  EXPECT_FALSE(chosen.Wants(DumpKind::kLog));
}

TEST(DumpConfigTest, AnUnknownWordIsAnError) {
  const absl::Status status =
      Config({{"WARPYARD_DUMP_TO", "/d"}, {"WARPYARD_DUMP", "ptx,sas"}}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(status.message(), "'sas'")) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "source, ptx, ltoir, cubin, sass, log"));
}

TEST(DumpConfigTest, WordsWithoutAFolderAreAnError) {
  const absl::Status status = Config({{"WARPYARD_DUMP", "ptx"}}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(status.message(), "WARPYARD_DUMP_TO")) << status;
}

TEST_F(DumpTest, WritesEverything) {
  const DumpConfig config = Config({{"WARPYARD_DUMP_TO", dir_}}).value();
  ASSERT_TRUE(DumpCompilation(config, Request(), Result(), Disassemble).ok());
  EXPECT_EQ(Read("source.cu"), "source");
  EXPECT_EQ(Read("ptx"), "ptx");
  EXPECT_EQ(Read("cubin"), "cubin");
  EXPECT_EQ(Read("sass"), "sass of cubin");
  EXPECT_EQ(Read("log"), "log");
  EXPECT_EQ(ListFolder(dir_)->size(), 5u);
  // Again: the same names.
  ASSERT_TRUE(DumpCompilation(config, Request(), Result(), Disassemble).ok());
  EXPECT_EQ(ListFolder(dir_)->size(), 5u);
}

TEST_F(DumpTest, WritesOnlyWhatIsChosen) {
  const DumpConfig config =
      Config({{"WARPYARD_DUMP_TO", dir_}, {"WARPYARD_DUMP", "ptx,sass"}}).value();
  ASSERT_TRUE(DumpCompilation(config, Request(), Result(), Disassemble).ok());
  EXPECT_EQ(ListFolder(dir_)->size(), 2u);
  EXPECT_EQ(Read("ptx"), "ptx");
}

TEST_F(DumpTest, KeepsTheRestWhenThereIsNoDisassembler) {
  const DumpConfig config = Config({{"WARPYARD_DUMP_TO", dir_}}).value();
  const absl::Status status = DumpCompilation(config, Request(), Result(),
                                              [](std::string_view) -> absl::StatusOr<std::string> {
                                                return absl::NotFoundError("no disassembler");
                                              });
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ListFolder(dir_)->size(), 4u);
}

TEST_F(DumpTest, AFailureLeavesSourceAndLog) {
  const DumpConfig config = Config({{"WARPYARD_DUMP_TO", dir_}}).value();
  ASSERT_TRUE(DumpFailure(config, Request(),
                          AttachLog(absl::InvalidArgumentError("short"), "the whole log"),
                          "test 1.0")
                  .ok());
  EXPECT_EQ(Read("source.cu"), "source");
  EXPECT_EQ(Read("log"), "the whole log");
  EXPECT_EQ(ListFolder(dir_)->size(), 2u);
}

TEST_F(DumpTest, AFolderThatCannotBeMadeIsAnError) {
  const DumpConfig config = Config({{"WARPYARD_DUMP_TO", "/sys/kernel/x"}}).value();
  const absl::Status status = DumpCompilation(config, Request(), Result(), Disassemble);
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "/sys/kernel/x"));
}

TEST(DumpStemTest, TellsRequestsApart) {
  const CompileRequest request = Request();
  const std::string stem = DumpStem(request, "test 1.0");
  EXPECT_TRUE(absl::StartsWith(stem, "saxpy.sm_90a.")) << stem;
  EXPECT_EQ(stem.size(), std::string("saxpy.sm_90a.").size() + 16);
  std::set<std::string> stems = {stem};
  const auto with = [&](auto change) {
    CompileRequest other = request;
    change(other);
    return DumpStem(other, "test 1.0");
  };
  stems.insert(with([](CompileRequest& r) { r.options.fast_math = true; }));
  stems.insert(with([](CompileRequest& r) { r.options.defines = {"N=2"}; }));
  stems.insert(with([](CompileRequest& r) { r.inputs[0].bytes = "other"; }));
  stems.insert(with([](CompileRequest& r) { r.inputs[0].name = "elsewhere/saxpy.cu"; }));
  stems.insert(with([](CompileRequest& r) { r.target = ComputeCapability(9, 0); }));
  stems.insert(DumpStem(request, "test 2.0"));
  EXPECT_EQ(stems.size(), 7u);
  // What is asked for is not part of the name: the files are of the same code.
  EXPECT_EQ(with([](CompileRequest& r) { r.outputs = {OutputKind::kPtx}; }), stem);
}

TEST(DumpStemTest, AnyNameMakesAFileName) {
  CompileRequest request = Request();
  for (const char* name : {"", "../../etc/passwd", "a b/c:d.cu", "..", "k\n.cu"}) {
    request.inputs[0].name = name;
    const std::string stem = DumpStem(request, "t");
    EXPECT_EQ(stem.find_first_of("/: \n"), std::string::npos) << stem;
    EXPECT_NE(stem[0], '.') << stem;
  }
  request.inputs[0].name = std::string(1000, 'x') + ".cu";
  EXPECT_LT(DumpStem(request, "t").size(), 200u);
  request.inputs = {request.inputs[0], request.inputs[0], request.inputs[0]};
  request.inputs[0].name = "a.ptx";
  EXPECT_TRUE(absl::StartsWith(DumpStem(request, "t"), "a+2.sm_90a."));
}

}  // namespace
}  // namespace warpyard::ptx
