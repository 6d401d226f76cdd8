// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/log_parser.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cc/base/file.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

// A log that a real compiler printed: see testdata/logs/make_logs.py.
std::string Log(std::string_view tool, std::string_view name) {
  const std::string path = absl::StrCat("cc/ptx/testdata/logs/", tool, "/", name, ".log");
  return ReadFile(path, 1 << 20).value();
}

ParsedLog Parse(std::string_view tool, std::string_view name, LogContext context = {"sm_80", ""}) {
  return ParseCompilerLog(Log(tool, name), context);
}

void ExpectError(const ParsedLog& parsed, absl::StatusCode code,
                 const std::vector<std::string>& parts) {
  EXPECT_EQ(parsed.status.code(), code) << parsed.status;
  for (const std::string& part : parts) {
    EXPECT_TRUE(absl::StrContains(parsed.status.message(), part))
        << "no '" << part << "' in: " << parsed.status;
  }
}

constexpr std::string_view kAssemblers[] = {"ptxas-11.8", "ptxas-12.4", "ptxas-12.9", "ptxas-13.5"};
constexpr std::string_view kEveryTool[] = {"ptxas-11.8", "ptxas-12.4",     "ptxas-12.9",
                                           "ptxas-13.5", "nvjitlink-12.4", "nvjitlink-13.5"};

class EveryToolTest : public testing::TestWithParam<std::string_view> {};
class AssemblerTest : public testing::TestWithParam<std::string_view> {};

std::string ToolName(const testing::TestParamInfo<std::string_view>& info) {
  std::string name(info.param);
  for (char& letter : name) {
    if (letter == '-' || letter == '.') letter = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Tools, EveryToolTest, testing::ValuesIn(kEveryTool), ToolName);
INSTANTIATE_TEST_SUITE_P(Tools, AssemblerTest, testing::ValuesIn(kAssemblers), ToolName);

TEST_P(EveryToolTest, ReadsResourcesOfEveryKernel) {
  const ParsedLog parsed = Parse(GetParam(), "good");
  EXPECT_TRUE(parsed.status.ok()) << parsed.status;
  EXPECT_TRUE(parsed.warnings.empty());
  ASSERT_EQ(parsed.kernels.size(), 2u);

  const KernelResources& plain = parsed.kernels[0];
  EXPECT_EQ(plain.name, "plain");
  EXPECT_EQ(plain.registers, 8);
  EXPECT_EQ(plain.static_shared_bytes, 0);
  EXPECT_EQ(plain.local_bytes, 0);
  EXPECT_EQ(plain.barriers, 0);
  EXPECT_EQ(plain.constant_bytes, 360 + 256);

  const KernelResources& rich = parsed.kernels[1];
  EXPECT_EQ(rich.name, "rich");
  EXPECT_EQ(rich.registers, 12);
  EXPECT_EQ(rich.static_shared_bytes, 1024);
  EXPECT_EQ(rich.local_bytes, 400);
  EXPECT_EQ(rich.constant_bytes, 360 + 256);
}

TEST_P(EveryToolTest, ReadsSpills) {
  const ParsedLog parsed = Parse(GetParam(), "spill");
  EXPECT_TRUE(parsed.status.ok()) << parsed.status;
  ASSERT_EQ(parsed.kernels.size(), 1u);
  // How much is spilled differs from version to version.
  EXPECT_EQ(parsed.kernels[0].registers, 32);
  EXPECT_GT(parsed.kernels[0].spill_store_bytes, 200);
  EXPECT_GT(parsed.kernels[0].spill_load_bytes, 200);
  EXPECT_GT(parsed.kernels[0].local_bytes, 200);
}

TEST_P(EveryToolTest, SaysThatTheTargetIsUnknown) {
  ExpectError(Parse(GetParam(), "unknown_target", {"sm_20", "sm_90"}),
              absl::StatusCode::kUnimplemented, {"target sm_20", "highest that it knows is sm_90"});
}

TEST_P(EveryToolTest, SaysThatThePtxIsTooNew) {
  ExpectError(Parse(GetParam(), "isa_too_new"), absl::StatusCode::kUnimplemented,
              {"ISA 99.9", "compile for an older PTX ISA"});
}

TEST_P(EveryToolTest, SaysThatTheIsaLacksTheTarget) {
  ExpectError(Parse(GetParam(), "isa_too_old", {"sm_90", ""}), absl::StatusCode::kInvalidArgument,
              {"PTX .version 7.0 does not support .target sm_90"});
}

TEST_P(EveryToolTest, SaysThatThePtxIsForAnotherGeneration) {
  ExpectError(Parse(GetParam(), "target_too_low", {"sm_75", ""}),
              absl::StatusCode::kInvalidArgument, {"newer GPU than sm_75"});
}

TEST_P(EveryToolTest, KeepsFileAndLineOfErrors) {
  ExpectError(Parse(GetParam(), "wrong"), absl::StatusCode::kInvalidArgument,
              {"does not compile for sm_80", ", line 7: error: Unknown modifier '.bar'",
               ", line 10: error: Parsing error near '}': syntax error"});
}

TEST_P(EveryToolTest, RepeatedDefinitionsAreErrors) {
  ExpectError(Parse(GetParam(), "twice"), absl::StatusCode::kInvalidArgument,
              {"Duplicate definition of function 'empty'"});
}

TEST_P(AssemblerTest, TooMuchSharedMemoryHasBothFigures) {
  // 12.4 allows all that the GPU has, the others what needs no opt-in.
  ExpectError(Parse(GetParam(), "shared"), absl::StatusCode::kResourceExhausted,
              {"big_shared", "shared data", "requested 300000 bytes",
               GetParam() == "ptxas-12.4" ? "available 167936 bytes" : "available 49152 bytes"});
}

TEST_P(EveryToolTest, WarnsOfAnIgnoredLimit) {
  const ParsedLog parsed = Parse(GetParam(), "register_limit");
  EXPECT_TRUE(parsed.status.ok()) << parsed.status;
  EXPECT_EQ(parsed.warnings,
            std::vector<std::string>{"Too big maxrregcount value specified 1000, will be ignored"});
}

TEST_P(AssemblerTest, TooMuchConstantMemoryHasBothFigures) {
  ExpectError(Parse(GetParam(), "constant"), absl::StatusCode::kResourceExhausted,
              {"global constant data", "requested 70000 bytes", "available 65536 bytes"});
}

TEST_P(AssemblerTest, NonsenseIsAnUnknownTarget) {
  ExpectError(Parse(GetParam(), "nonsense_target", {"nonsense", ""}),
              absl::StatusCode::kUnimplemented, {"target nonsense"});
}

TEST_P(AssemblerTest, NamesWhatIsUndefined) {
  ExpectError(Parse(GetParam(), "undefined"), absl::StatusCode::kNotFound, {"'helper'"});
}

TEST(LogParserTest, LinkersNameAllThatIsUndefined) {
  for (std::string_view tool : {"nvjitlink-13.5", "nvlink-13.5"}) {
    ExpectError(Parse(tool, "undefined"), absl::StatusCode::kNotFound,
                {"'helper', 'other', 'outside'"});
  }
}

TEST(LogParserTest, TheNewLinkerTellsTooMuchSharedMemory) {
  ExpectError(Parse("nvjitlink-13.5", "shared"), absl::StatusCode::kResourceExhausted,
              {"requested 300000 bytes", "available 49152 bytes"});
}

TEST(LogParserTest, AnErrorWithoutAReasonIsStillAnError) {
  // The old linker says why on standard error alone.
  ExpectError(Parse("nvjitlink-12.4", "shared"), absl::StatusCode::kInvalidArgument,
              {"does not compile for sm_80", "gives no reason"});
}

TEST(LogParserTest, RegisterAllocationFailed) {
  // The wording changed after 12.4.
  ExpectError(Parse("ptxas-12.4", "registers", {"sm_90a", ""}),
              absl::StatusCode::kResourceExhausted,
              {"registers per thread on sm_90a", "register count of '64'"});
  for (std::string_view tool : {"ptxas-12.9", "ptxas-13.5", "nvjitlink-13.5"}) {
    ExpectError(Parse(tool, "registers", {"sm_90a", ""}), absl::StatusCode::kResourceExhausted,
                {"registers per thread on sm_90a", "(64)", "154 or higher"});
  }
}

TEST(LogParserTest, CodeForOneGenerationElsewhere) {
  for (std::string_view tool : {"ptxas-13.5", "nvjitlink-13.5"}) {
    ExpectError(Parse(tool, "arch_specific_elsewhere", {"sm_100", ""}),
                absl::StatusCode::kInvalidArgument, {"sm_90a", "does not run on sm_100", "'a'"});
    ExpectError(Parse(tool, "family_specific_elsewhere", {"sm_120", ""}),
                absl::StatusCode::kInvalidArgument, {"sm_100f", "does not run on sm_120", "'f'"});
  }
}

TEST(LogParserTest, TooMuchTensorMemory) {
  for (std::string_view tool : {"ptxas-13.5", "nvjitlink-13.5"}) {
    ExpectError(Parse(tool, "tensor_memory", {"sm_100a", ""}), absl::StatusCode::kResourceExhausted,
                {"tensor memory", "requested 1024 columns", "available 512 columns"});
  }
}

TEST(LogParserTest, BarriersAreReadFromThoseThatTellThem) {
  for (std::string_view tool : {"ptxas-12.9", "ptxas-13.5", "nvjitlink-13.5"}) {
    const ParsedLog parsed = Parse(tool, "good");
    EXPECT_EQ(parsed.kernels[0].barriers, 0) << tool;
    EXPECT_EQ(parsed.kernels[1].barriers, 4) << tool;  // bar.sync 3 makes 0..3
  }
}

TEST(LogParserTest, SharedMemoryIsWithoutTheSystemsPart) {
  // nvJitLink's second list counts 1024 bytes more on sm_90.
  EXPECT_EQ(Parse("nvjitlink-13.5", "good_sm90").kernels[1].static_shared_bytes, 1024);
}

TEST(LogParserTest, AdviceOnPerformanceIsAWarning) {
  const ParsedLog parsed = Parse("ptxas-12.4", "serialized_wgmma", {"sm_90a", ""});
  EXPECT_TRUE(parsed.status.ok()) << parsed.status;
  ASSERT_EQ(parsed.warnings.size(), 1u);
  EXPECT_TRUE(absl::StartsWith(parsed.warnings[0], "(C7514) Potential Performance Loss"));
}

TEST(LogParserTest, LinkerErrors) {
  ExpectError(Parse("nvlink-13.5", "twice"), absl::StatusCode::kInvalidArgument,
              {"Multiple definition of 'empty' in 'again.o', first defined in 'empty.o'"});
  ExpectError(Parse("nvlink-13.5", "wrong_target", {"sm_90", ""}),
              absl::StatusCode::kInvalidArgument, {"another GPU than sm_90", "good.o"});
  ExpectError(Parse("nvlink-13.5", "unknown_target", {"sm_20", "sm_121"}),
              absl::StatusCode::kUnimplemented, {"sm_20", "sm_121"});
}

TEST(LogParserTest, ASpillingFunctionCountsForTheKernelAboveIt) {
  const ParsedLog parsed = ParseCompilerLog(
      "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
      "ptxas info    : Function properties for k\n"
      "    0 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\n"
      "ptxas info    : Used 26 registers, used 0 barriers\n"
      "ptxas info    : Function properties for _Z1fi\n"
      "    80 bytes stack frame, 36 bytes spill stores, 40 bytes spill loads\n",
      {"sm_90", ""});
  ASSERT_EQ(parsed.kernels.size(), 1u);
  EXPECT_EQ(parsed.kernels[0].registers, 26);
  EXPECT_EQ(parsed.kernels[0].spill_store_bytes, 40);
  EXPECT_EQ(parsed.kernels[0].spill_load_bytes, 48);
  EXPECT_EQ(parsed.kernels[0].local_bytes, 0);
}

TEST(LogParserTest, ASpillingFunctionOfUnknownCallersIsAWarning) {
  // nvJitLink lists functions before kernels.
  const ParsedLog parsed = ParseCompilerLog(
      "ptxas info    : Function properties for _Z1fi\n"
      "ptxas         .     80 bytes stack frame, 36 bytes spill stores, 40 bytes spill loads\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
      "warning : Stack size for entry function 'k' cannot be statically determined\n",
      {"sm_90", ""});
  ASSERT_EQ(parsed.kernels.size(), 1u);
  EXPECT_EQ(parsed.kernels[0].spill_store_bytes, 0);
  ASSERT_EQ(parsed.warnings.size(), 2u);
  EXPECT_EQ(parsed.warnings[0],
            "Stack size for entry function 'k' cannot be statically determined");
  EXPECT_TRUE(absl::StrContains(parsed.warnings[1], "'_Z1fi' spills")) << parsed.warnings[1];
}

TEST(LogParserTest, CudaErrorsShowFileLineAndSource) {
  const ParsedLog parsed = Parse("nvrtc-13.5", "undeclared", {"sm_90", ""});
  ExpectError(parsed, absl::StatusCode::kInvalidArgument,
              {"dir/undeclared.cu(3): error: identifier \"nothere\" is undefined\n"
               "  p[0] = nothere;\n"
               "         ^\n"
               "dir/undeclared.cu(4): error: expected an expression"});
  ASSERT_EQ(parsed.warnings.size(), 1u);
  EXPECT_EQ(parsed.warnings[0],
            "dir/undeclared.cu(2): variable \"unused\" was declared but never referenced");
}

TEST(LogParserTest, CudaCatastrophes) {
  ExpectError(Parse("nvrtc-13.5", "missing_header"), absl::StatusCode::kInvalidArgument,
              {"dir/missing_header.cu(1): error: cannot open source file \"nothere.h\""});
  ExpectError(Parse("nvrtc-13.5", "error_directive"), absl::StatusCode::kInvalidArgument,
              {"dir/error_directive.cu(2)", "stop here"});
  EXPECT_EQ(Parse("nvrtc-13.5", "error_directive").warnings.size(), 1u);
}

TEST(LogParserTest, NvrtcsOwnErrors) {
  ExpectError(Parse("nvrtc-13.5", "unknown_target", {"sm_20", "sm_121"}),
              absl::StatusCode::kUnimplemented, {"sm_20", "sm_121"});
  ExpectError(Parse("nvrtc-13.5", "unknown_option"), absl::StatusCode::kInvalidArgument,
              {"unrecognized option --nothere found"});
}

TEST(LogParserTest, OtherWordsForAnUnknownTarget) {
  for (std::string_view log :
       {"ERROR NVJITLINK_ERROR_UNSUPPORTED_ARCH: unsupported architecture (compute_70)",
        "ERROR NVJITLINK_ERROR_UNRECOGNIZED_ARCH: unrecognized architecture (compute_70)",
        "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value (-arch=sm_70)",
        "Command-line error: invalid or no value specified with --nv_arch flag",
        "libnvvm : error: -arch=compute_70 is an unsupported option"}) {
    ExpectError(ParseCompilerLog(log, {"sm_70", "sm_121"}), absl::StatusCode::kUnimplemented,
                {"does not know the target sm_70", "sm_121"});
  }
  ExpectError(ParseCompilerLog("ptxas a.ptx, line 10; fatal   : Unsupported .target 'sm_999'",
                               {"sm_90", ""}),
              absl::StatusCode::kUnimplemented, {"'sm_999'"});
  ExpectError(ParseCompilerLog("ptxas fatal   : PTX with .target 'sm_90a' cannot be compiled for "
                               "architecture 'sm_90'",
                               {"sm_90", ""}),
              absl::StatusCode::kInvalidArgument, {"sm_90a", "does not run on sm_90"});
  ExpectError(ParseCompilerLog("ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: unrecognized option: -x",
                               {"sm_90", ""}),
              absl::StatusCode::kInvalidArgument, {"unrecognized option: -x"});
}

TEST(LogParserTest, PtxasInsideNvrtc) {
  ExpectError(Parse("nvrtc-13.5", "undefined"), absl::StatusCode::kNotFound, {"'_Z1fi'"});
  ExpectError(Parse("nvrtc-13.5", "inline_ptx"), absl::StatusCode::kInvalidArgument,
              {"line 23", "Not a name of any known instruction: 'foo'"});
  const ParsedLog warning = Parse("nvrtc-13.5", "warning");
  EXPECT_TRUE(warning.status.ok());
  EXPECT_EQ(warning.warnings,
            std::vector<std::string>{"dir/warning.cu(2): shift count is too large"});
  ASSERT_EQ(warning.kernels.size(), 1u);
  EXPECT_EQ(warning.kernels[0].name, "k");
}

TEST(LogParserTest, AFileNameMayLookLikeADiagnostic) {
  const ParsedLog parsed = ParseCompilerLog(
      "ptxas a; error : b, line 3; c.ptx, line 12; error   : Unknown modifier '.bar'\n",
      {"sm_90", ""});
  ExpectError(parsed, absl::StatusCode::kInvalidArgument, {"line 12: error: Unknown modifier"});
}

TEST(LogParserTest, ManyErrorsAreCounted) {
  std::string log;
  for (int i = 0; i < 100; ++i) absl::StrAppend(&log, "ptxas a.ptx, line ", i, "; error   : bad\n");
  const ParsedLog parsed = ParseCompilerLog(log, {"sm_90", ""});
  ExpectError(parsed, absl::StatusCode::kInvalidArgument, {"... and 80 more"});
  EXPECT_LT(parsed.status.message().size(), 2000u);
}

TEST(LogParserTest, NothingIsNothing) {
  const ParsedLog parsed = ParseCompilerLog("", {"sm_90", ""});
  EXPECT_TRUE(parsed.status.ok());
  EXPECT_TRUE(parsed.kernels.empty());
  EXPECT_TRUE(parsed.warnings.empty());
}

// Any cut of any log, and any damaged byte, is read without a crash.
TEST(LogParserTest, SurvivesDamage) {
  for (std::string_view name : {"good", "spill", "undefined", "wrong", "shared", "registers"}) {
    std::string log = Log("nvjitlink-13.5", name);
    for (size_t length = 0; length < log.size(); ++length) {
      (void)ParseCompilerLog(std::string_view(log).substr(0, length), {"sm_90", ""});
      const char kept = log[length];
      for (char damage : {'\0', '\'', ':', '9', '\n', '\xff'}) {
        log[length] = damage;
        if (length % 7 == 0) (void)ParseCompilerLog(log, {"sm_90", ""});
      }
      log[length] = kept;
    }
  }
}

}  // namespace
}  // namespace warpyard::ptx
