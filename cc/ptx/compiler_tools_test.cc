// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The front door with the pinned toolkit behind it.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cc/base/file.h"
#include "cc/ptx/compile_log_status.h"
#include "cc/ptx/compiler.h"
#include "cc/ptx/disassembler.h"
#include "cc/ptx/testing/cuda_for_test.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

using Kind = ComputeCapability::Kind;

constexpr std::string_view kSource = R"(
extern "C" __global__ __launch_bounds__(256) void scale(float a, float* x, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.f;
  __syncthreads();
  if (i < n) x[i] = a * tile[255 - threadIdx.x];
}
)";

CompileRequest Request(ComputeCapability target, std::string_view source = kSource) {
  CompileRequest request;
  request.inputs = {{InputKind::kCudaCpp, "scale.cu", std::string(source)}};
  request.target = target;
  request.outputs = {OutputKind::kCubin, OutputKind::kPtx};
  return request;
}

class CompilerToolsTest : public testing::Test {
 protected:
  CompilerToolsTest() {
    root_ = absl::StrCat(testing::TempDir(), "/compiler_tools_test.",
                         testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(root_);
    config_.tools = CudaForTest();
    config_.cache.dir = root_ + "/cache";
  }

  std::unique_ptr<Compiler> Make() { return Compiler::Create(config_).value(); }

  std::string root_;
  CompilerConfig config_;
};

TEST_F(CompilerToolsTest, CompilesForOldAndNewGenerationsAndCaches) {
  std::unique_ptr<Compiler> compiler = Make();
  for (const ComputeCapability target :
       {ComputeCapability(7, 5), ComputeCapability(8, 0), ComputeCapability(9, 0, Kind::kArch),
        ComputeCapability(10, 0, Kind::kFamily), ComputeCapability(12, 1)}) {
    SCOPED_TRACE(target.SmName());
    const absl::StatusOr<CompileResult> result = compiler->Compile(Request(target));
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_FALSE(result->from_cache);
    EXPECT_TRUE(absl::StrContains(result->ptx, absl::StrCat(".target ", target.SmName())));
    ASSERT_EQ(result->kernels.size(), 1u);
    const KernelResources& kernel = result->kernels[0];
    EXPECT_EQ(kernel.name, "scale");
    EXPECT_GT(kernel.registers, 4);
    EXPECT_LT(kernel.registers, 65);
    EXPECT_EQ(kernel.static_shared_bytes, 1024);
    EXPECT_EQ(kernel.max_threads_per_block, 256);
    EXPECT_EQ(kernel.barriers, 1);
    EXPECT_EQ(kernel.spill_store_bytes, 0);
    EXPECT_GT(result->duration, absl::ZeroDuration());

    const CompileResult cached = Make()->Compile(Request(target)).value();
    EXPECT_TRUE(cached.from_cache);
    EXPECT_EQ(cached.cubin, result->cubin);
    EXPECT_EQ(cached.ptx, result->ptx);
    EXPECT_EQ(cached.kernels, result->kernels);
    EXPECT_EQ(cached.log, result->log);
    EXPECT_EQ(cached.duration, result->duration);
  }
}

TEST_F(CompilerToolsTest, SameInputSameBytesInParallel) {
  config_.cache.memory = false;
  config_.cache.disk = false;
  std::unique_ptr<Compiler> compiler = Make();
  const CompileResult expected = compiler->Compile(Request(ComputeCapability(9, 0))).value();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 3; ++round) {
        const absl::StatusOr<CompileResult> result =
            compiler->Compile(Request(ComputeCapability(9, 0)));
        ASSERT_TRUE(result.ok()) << result.status();
        EXPECT_EQ(result->cubin, expected.cubin);
        EXPECT_EQ(result->ptx, expected.ptx);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Make()->Compile(Request(ComputeCapability(9, 0)))->cubin, expected.cubin);
}

TEST_F(CompilerToolsTest, SpillsAreCounted) {
  std::string source = "extern \"C\" __global__ void spill(volatile float* x) {\n  float a[96];\n";
  absl::StrAppend(&source, "#pragma unroll\n  for (int i = 0; i < 96; ++i) a[i] = x[i];\n",
                  "  __syncthreads();\n  float s = 0;\n",
                  "#pragma unroll\n  for (int i = 95; i >= 0; --i) s = s * a[i] + a[i];\n",
                  "  x[0] = s;\n}\n");
  CompileRequest request = Request(ComputeCapability(8, 0), source);
  request.options.max_registers = 32;
  const absl::StatusOr<CompileResult> result = Make()->Compile(request);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->kernels.size(), 1u);
  EXPECT_EQ(result->kernels[0].registers, 32);
  EXPECT_GT(result->kernels[0].spill_store_bytes, 100);
  EXPECT_GT(result->kernels[0].spill_load_bytes, 100);
  EXPECT_GT(result->kernels[0].local_bytes, 100);
}

TEST_F(CompilerToolsTest, ErrorsHaveFileAndLineAndTheLog) {
  const absl::Status status =
      Make()
          ->Compile(Request(ComputeCapability(9, 0), "__global__ void k() {\n  nothere();\n}\n"))
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "scale.cu(2)")) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "nothere")) << status;
  EXPECT_TRUE(absl::StrContains(LogOf(status), "nothere")) << LogOf(status);
}

TEST_F(CompilerToolsTest, TooMuchSharedMemoryHasBothFigures) {
  const absl::Status status =
      Make()
          ->Compile(Request(ComputeCapability(9, 0),
                            "extern \"C\" __global__ void k(int* p) { __shared__ volatile int "
                            "s[100000]; s[p[0]] = p[1]; p[2] = s[p[3]]; }"))
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "400000")) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "49152")) << status;
}

TEST_F(CompilerToolsTest, TooMuchTensorMemoryHasBothFigures) {
  constexpr std::string_view kTemplate = R"(
extern "C" __global__ void k() {
  __shared__ unsigned address;
  unsigned at = (unsigned)__cvta_generic_to_shared(&address);
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;"
               :: "r"(at), CONSTRAINT(1024u));
}
)";
  // As an immediate ptxas sees it; in a register only we do.
  for (const char* constraint : {"n", "r"}) {
    CompileRequest request = Request(ComputeCapability(10, 0, Kind::kArch), kTemplate);
    request.options.defines = {absl::StrCat("CONSTRAINT=\"", constraint, "\"")};
    const absl::Status status = Make()->Compile(request).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << constraint << status;
    EXPECT_TRUE(absl::StrContains(status.message(), "1024")) << status;
    EXPECT_TRUE(absl::StrContains(status.message(), "512")) << status;
  }
}

TEST_F(CompilerToolsTest, MoreRegistersThanABlockCanHaveAreRefused) {
  // ptxas takes it without a word; no GPU launches it.
  constexpr std::string_view kPtx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) .maxntid 1024, 1, 1 .maxnreg 168 {
.reg .f32 %f<160>; .reg .u64 %rd0; .reg .f32 %s;
ld.param.u64 %rd0, [p];
BODY
st.global.f32 [%rd0], %s;
ret;
})";
  std::string body;
  for (int i = 0; i < 150; ++i)
    absl::StrAppend(&body, "ld.volatile.global.f32 %f", i, ", [%rd0+", 4 * i, "];\n");
  absl::StrAppend(&body, "mov.f32 %s, 0f00000000;\n");
  for (int i = 149; i >= 0; --i)
    absl::StrAppend(&body, "fma.rn.f32 %s, %s, %f", i, ", %f", i, ";\n");
  std::string ptx(kPtx);
  ptx.replace(ptx.find("BODY"), 4, body);
  CompileRequest request = Request(ComputeCapability(9, 0));
  request.inputs = {{InputKind::kPtx, "k.ptx", ptx}};
  request.outputs = {OutputKind::kCubin};
  const absl::StatusOr<CompileResult> result = Make()->Compile(request);
  ASSERT_FALSE(result.ok()) << result->kernels.at(0).registers << " registers were let through";
  EXPECT_EQ(result.status().code(), absl::StatusCode::kResourceExhausted) << result.status();
  EXPECT_TRUE(absl::StrContains(result.status().message(), "65536")) << result.status();
}

TEST_F(CompilerToolsTest, BadInputHasOneClearMessage) {
  const auto compile_ptx = [&](std::string_view version, std::string_view ptx_target,
                               ComputeCapability target) {
    CompileRequest request = Request(target);
    request.inputs = {{InputKind::kPtx, "k.ptx",
                       absl::StrCat(".version ", version, "\n.target ", ptx_target,
                                    "\n.address_size 64\n.visible .entry k() { ret; }\n")}};
    request.outputs = {OutputKind::kCubin};
    return Make()->Compile(request).status();
  };
  EXPECT_TRUE(compile_ptx("8.0", "sm_90", ComputeCapability(9, 0)).ok());

  const absl::Status newer = compile_ptx("99.9", "sm_90", ComputeCapability(9, 0));
  EXPECT_EQ(newer.code(), absl::StatusCode::kUnimplemented) << newer;
  EXPECT_TRUE(absl::StrContains(newer.message(), "99.9")) << newer;

  const absl::Status elsewhere = compile_ptx("8.0", "sm_90a", ComputeCapability(10, 0));
  EXPECT_EQ(elsewhere.code(), absl::StatusCode::kInvalidArgument) << elsewhere;
  EXPECT_TRUE(absl::StrContains(elsewhere.message(), "sm_90a")) << elsewhere;

  const absl::Status unknown = Make()->Compile(Request(ComputeCapability(7, 0))).status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kUnimplemented) << unknown;
  EXPECT_TRUE(absl::StrContains(unknown.message(), "sm_70")) << unknown;
  EXPECT_TRUE(absl::StrContains(unknown.message(), "sm_121")) << unknown;

  CompilerConfig bare;
  bare.cache = config_.cache;
  bare.tools.driver.clear();
  const absl::Status missing =
      Compiler::Create(bare).value()->Compile(Request(ComputeCapability(9, 0))).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound) << missing;
  EXPECT_TRUE(absl::StrContains(missing.message(), "nvidia-cuda-nvrtc")) << missing;
}

TEST_F(CompilerToolsTest, AnEditedHeaderGivesNewCode) {
  const std::string folder = root_ + "/include";
  ASSERT_TRUE(MakeFolders(folder).ok());
  CompileRequest request =
      Request(ComputeCapability(9, 0),
              "#include \"factor.h\"\nextern \"C\" __global__ void k(int* p) { *p = FACTOR; }\n");
  request.options.include_dirs = {folder};
  std::unique_ptr<Compiler> compiler = Make();
  ASSERT_TRUE(WriteFileAtomically(folder + "/factor.h", "#define FACTOR 111\n").ok());
  EXPECT_TRUE(absl::StrContains(compiler->Compile(request)->ptx, "111"));
  ASSERT_TRUE(WriteFileAtomically(folder + "/factor.h", "#define FACTOR 222\n").ok());
  const CompileResult edited = compiler->Compile(request).value();
  EXPECT_FALSE(edited.from_cache);
  EXPECT_TRUE(absl::StrContains(edited.ptx, "222")) << edited.ptx;
  EXPECT_TRUE(compiler->Compile(request)->from_cache);
}

TEST_F(CompilerToolsTest, DumpsAllForms) {
  config_.dump.dir = root_ + "/dump";
  config_.dump.kinds = {DumpKind::kSource, DumpKind::kPtx, DumpKind::kCubin, DumpKind::kSass,
                        DumpKind::kLog};
  std::unique_ptr<Compiler> compiler = Make();
  ASSERT_TRUE(compiler->Compile(Request(ComputeCapability(9, 0))).ok());
  EXPECT_TRUE(compiler->TakeNotices().empty());
  const std::vector<std::string> names = ListFolder(config_.dump.dir).value();
  ASSERT_EQ(names.size(), 5u);
  for (const std::string& name : names) {
    EXPECT_TRUE(absl::StartsWith(name, "scale.sm_90.")) << name;
    const std::string bytes = ReadFile(config_.dump.dir + "/" + name, 1 << 24).value();
    if (absl::EndsWith(name, ".sass")) {
      EXPECT_TRUE(absl::StrContains(bytes, "EXIT")) << bytes.substr(0, 500);
    }
    if (absl::EndsWith(name, ".ptx")) {
      EXPECT_TRUE(absl::StrContains(bytes, ".entry scale"));
    }
  }
}

TEST_F(CompilerToolsTest, DisassemblesWithEitherToolAndTheSameEachTime) {
  const CompileResult result = Make()->Compile(Request(ComputeCapability(9, 0))).value();
  ToolPaths tools = config_.tools;
  ASSERT_FALSE(tools.nvdisasm.empty());
  ASSERT_FALSE(tools.cuobjdump.empty());
  for (int i = 0; i < 2; ++i) {
    const std::string sass = DisassembleCubin(result.cubin, tools).value();
    EXPECT_TRUE(absl::StrContains(sass, "scale"));
    EXPECT_TRUE(absl::StrContains(sass, "EXIT"));
    EXPECT_EQ(sass, DisassembleCubin(result.cubin, tools).value());
    tools.nvdisasm.clear();
  }
  tools.cuobjdump.clear();
  const absl::Status none = DisassembleCubin(result.cubin, tools).status();
  EXPECT_EQ(none.code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(absl::StrContains(none.message(), "nvidia-cuda-nvdisasm")) << none;
  EXPECT_EQ(DisassembleCubin("nonsense", config_.tools).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpyard::ptx
