// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The front door around a provider that only pretends to compile. With real
// ones: compiler_tools_test.cc.

#include "cc/ptx/compiler.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cc/base/file.h"
#include "cc/ptx/compile_log_status.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

using Kind = ComputeCapability::Kind;

std::string ExampleCubin() {
  return ReadFile("cc/ptx/testdata/cubins/13.5-sm_90.cubin", 1 << 20).value();
}

// What the provider saw and shall answer; the test holds it beyond the
// provider's life.
struct Script {
  std::atomic<int> compilations = 0;
  std::vector<OutputKind> last_outputs;
  std::string version = "1.0";
  absl::Status failure;
  std::string ptx = ".version 8.0\n";
  bool gives_ptx = true;
};

class FakeProvider : public Provider {
 public:
  explicit FakeProvider(Script& script) : script_(script) {}
  std::string_view name() const override { return "fake"; }
  absl::StatusOr<Version> ToolVersion() override { return Version::Parse(script_.version); }
  absl::StatusOr<Version> LatestPtxIsaVersion() override { return Version(9, 5); }
  absl::Status Supports(const CompileRequest& request) override {
    for (const OutputKind output : request.outputs) {
      if (output == OutputKind::kPtx && !script_.gives_ptx) {
        return absl::UnimplementedError("fake gives no PTX");
      }
    }
    return absl::OkStatus();
  }
  absl::StatusOr<CompileResult> Compile(const CompileRequest& request) override {
    ++script_.compilations;
    script_.last_outputs = request.outputs;
    if (!script_.failure.ok()) return script_.failure;
    CompileResult result;
    for (const OutputKind output : request.outputs) {
      if (output == OutputKind::kPtx) result.ptx = script_.ptx;
      if (output == OutputKind::kCubin) result.cubin = ExampleCubin();
    }
    result.kernels = {
        {.name = "rich", .registers = 99, .spill_store_bytes = 4, .spill_load_bytes = 8}};
    result.log = "a log";
    result.tool_version = absl::StrCat("fake ", script_.version);
    return result;
  }

 private:
  Script& script_;
};

CompileRequest Request(std::string source = "__global__ void k() {}") {
  CompileRequest request;
  request.inputs = {{InputKind::kCudaCpp, "k.cu", std::move(source)}};
  request.target = ComputeCapability(9, 0);
  request.outputs = {OutputKind::kCubin};
  return request;
}

class CompilerTest : public testing::Test {
 protected:
  CompilerTest() {
    root_ = absl::StrCat(testing::TempDir(), "/compiler_test.",
                         testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(root_);
    config_.cache.dir = root_ + "/cache";
  }

  std::unique_ptr<Compiler> Make() {
    return std::make_unique<Compiler>(config_, std::make_unique<FakeProvider>(script_));
  }

  std::string root_;
  CompilerConfig config_;
  Script script_;
};

TEST_F(CompilerTest, FillsResourcesFromTheCubinAndSpillsFromTheLog) {
  const CompileResult result = Make()->Compile(Request()).value();
  ASSERT_EQ(result.kernels.size(), 2u);
  EXPECT_EQ(result.kernels[0].name, "plain");
  EXPECT_EQ(result.kernels[0].registers, 8);
  EXPECT_EQ(result.kernels[1].name, "rich");
  EXPECT_EQ(result.kernels[1].registers, 12);
  EXPECT_EQ(result.kernels[1].static_shared_bytes, 1024);
  EXPECT_EQ(result.kernels[1].spill_store_bytes, 4);
  EXPECT_EQ(result.kernels[1].spill_load_bytes, 8);
}

TEST_F(CompilerTest, CachesWithinAndAcrossProcesses) {
  std::unique_ptr<Compiler> compiler = Make();
  EXPECT_FALSE(compiler->Compile(Request())->from_cache);
  const CompileResult again = compiler->Compile(Request()).value();
  EXPECT_TRUE(again.from_cache);
  EXPECT_EQ(again.log, "a log");
  EXPECT_TRUE(Make()->Compile(Request())->from_cache);
  EXPECT_EQ(script_.compilations, 1);
  EXPECT_FALSE(compiler->Compile(Request("other"))->from_cache);
  script_.version = "1.1";
  EXPECT_FALSE(compiler->Compile(Request())->from_cache);
}

TEST_F(CompilerTest, AnEditedHeaderIsCompiledAnew) {
  const std::string folder = root_ + "/include";
  ASSERT_TRUE(MakeFolders(folder).ok());
  CompileRequest request = Request("#include \"x.h\"\n");
  request.options.include_dirs = {folder};
  std::unique_ptr<Compiler> compiler = Make();
  ASSERT_TRUE(WriteFileAtomically(folder + "/x.h", "1").ok());
  EXPECT_FALSE(compiler->Compile(request)->from_cache);
  EXPECT_TRUE(compiler->Compile(request)->from_cache);
  ASSERT_TRUE(WriteFileAtomically(folder + "/x.h", "2").ok());
  EXPECT_FALSE(compiler->Compile(request)->from_cache);
  ASSERT_TRUE(WriteFileAtomically(folder + "/x.h", "1").ok());
  EXPECT_TRUE(compiler->Compile(request)->from_cache);
}

TEST_F(CompilerTest, WhatCannotBeKnownIsNotCached) {
  std::unique_ptr<Compiler> compiler = Make();
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(compiler->Compile(Request("#include HEADER\n"))->from_cache);
  }
  EXPECT_EQ(script_.compilations, 2);
}

TEST_F(CompilerTest, GivesOnlyTheOutputsAskedFor) {
  config_.dump.dir = root_ + "/dump";
  config_.dump.kinds = {DumpKind::kPtx};
  const CompileResult result = Make()->Compile(Request()).value();
  EXPECT_EQ(script_.last_outputs.size(), 2u);  // the dump shows the PTX
  EXPECT_TRUE(result.ptx.empty());
  EXPECT_FALSE(result.cubin.empty());
  ASSERT_EQ(ListFolder(config_.dump.dir)->size(), 1u);
  EXPECT_TRUE(absl::EndsWith(ListFolder(config_.dump.dir)->at(0), ".ptx"));
}

TEST_F(CompilerTest, DoesWithoutPtxWhereTheProviderHasNone) {
  script_.gives_ptx = false;
  config_.dump.dir = root_ + "/dump";
  config_.dump.kinds = {DumpKind::kPtx, DumpKind::kLog};
  EXPECT_TRUE(Make()->Compile(Request()).ok());
  EXPECT_EQ(ListFolder(config_.dump.dir)->size(), 1u);
}

TEST_F(CompilerTest, TooMuchTensorMemoryIsRefusedWithBothFigures) {
  script_.ptx =
      ".visible .entry rich() {\nmov.b32 %r1, 1024;\n"
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r0], %r1;\nret;\n}\n";
  CompileRequest request = Request();
  request.target = ComputeCapability(10, 0, Kind::kArch);
  std::unique_ptr<Compiler> compiler = Make();
  for (int i = 0; i < 2; ++i) {  // an error is not kept
    const absl::Status status = compiler->Compile(request).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
    EXPECT_TRUE(absl::StrContains(status.message(), "1024")) << status;
    EXPECT_TRUE(absl::StrContains(status.message(), "512")) << status;
    EXPECT_TRUE(absl::StrContains(status.message(), "rich")) << status;
    EXPECT_EQ(LogOf(status), "a log");
  }
  EXPECT_EQ(script_.compilations, 2);
  // The same code where its PTX stands in the request itself.
  request.inputs = {{InputKind::kPtx, "k.ptx", script_.ptx}};
  EXPECT_EQ(compiler->Compile(request).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(CompilerTest, RefusesRequestsThatMakeNoSense) {
  CompileRequest request = Request();
  request.outputs.clear();
  EXPECT_EQ(Make()->Compile(request).status().code(), absl::StatusCode::kInvalidArgument);
  request = Request();
  request.inputs.clear();
  EXPECT_EQ(Make()->Compile(request).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(script_.compilations, 0);
}

TEST_F(CompilerTest, AFailureIsDumpedAndGivenOn) {
  script_.failure = AttachLog(absl::InvalidArgumentError("bad code"), "all that it said");
  config_.dump.dir = root_ + "/dump";
  config_.dump.kinds = {DumpKind::kSource, DumpKind::kLog};
  const absl::Status status = Make()->Compile(Request()).status();
  EXPECT_EQ(status.message(), "bad code");
  EXPECT_EQ(LogOf(status), "all that it said");
  EXPECT_EQ(ListFolder(config_.dump.dir)->size(), 2u);
}

TEST_F(CompilerTest, TroubleWithFoldersIsToldOnce) {
  config_.cache.dir = "/sys/kernel";
  config_.dump.dir = "/sys/kernel/dump";
  config_.dump.kinds = {DumpKind::kLog};
  std::unique_ptr<Compiler> compiler = Make();
  EXPECT_TRUE(compiler->Compile(Request("a")).ok());
  EXPECT_TRUE(compiler->Compile(Request("b")).ok());
  EXPECT_EQ(compiler->TakeNotices().size(), 2u);  // the cache's and the dump's
  EXPECT_TRUE(compiler->Compile(Request("c")).ok());
  EXPECT_TRUE(compiler->TakeNotices().empty());
}

TEST_F(CompilerTest, TellsTheToolkitsVersion) {
  EXPECT_EQ(Make()->ToolkitVersion().value(), Version(1, 0));
}

TEST_F(CompilerTest, AnUnknownProviderIsRefused) {
  config_.provider = "nvcc9000";
  const absl::Status status = Compiler::Create(config_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "nvcc9000")) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "nvrtc")) << status;
}

}  // namespace
}  // namespace warpyard::ptx
