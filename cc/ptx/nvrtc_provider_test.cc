// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/nvrtc_provider.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/elf64.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/testing/cuda_for_test.h"
#include "cc/ptx/testing/requests.h"
#include "cc/target/compute_capability.h"
#include "cc/target/versions.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr OutputKind kPtx = OutputKind::kPtx;
constexpr OutputKind kCubin = OutputKind::kCubin;
constexpr OutputKind kLtoIr = OutputKind::kLtoIr;

class NvrtcProviderTest : public ::testing::Test {
 protected:
  absl::StatusOr<CompileResult> Compile(std::string_view source, std::string_view target,
                                        std::vector<OutputKind> outputs,
                                        CompileOptions options = {}) {
    return provider_->Compile(Request({CudaInput("dir/kernel.cu", source)}, target,
                                      std::move(outputs), std::move(options)));
  }

  // A fresh folder of this test.
  fs::path Folder(std::string_view name) {
    const fs::path folder = fs::path(::testing::TempDir()) /
                            ::testing::UnitTest::GetInstance()->current_test_info()->name() / name;
    fs::remove_all(folder);
    fs::create_directories(folder);
    return folder;
  }

  const ToolPaths cuda_ = CudaForTest();
  const std::unique_ptr<Provider> provider_ = MakeNvrtcProvider(cuda_);
};

void Write(const fs::path& path, std::string_view text) { std::ofstream(path) << text; }

uint16_t ElfType(const std::string& cubin) {
  absl::StatusOr<Elf64View> elf = Elf64View::Parse(cubin);
  EXPECT_TRUE(elf.ok()) << elf.status();
  return elf.ok() ? elf->type() : 0;
}

TEST_F(NvrtcProviderTest, OneCallGivesPtxAndCubin) {
  absl::StatusOr<CompileResult> result = Compile(kScaleCuda, "sm_90a", {kPtx, kCubin});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->ptx, HasSubstr(".target sm_90a"));
  EXPECT_THAT(result->ptx, HasSubstr(".visible .entry scale("));
  EXPECT_THAT(result->ptx, EndsWith("\n"));
  EXPECT_EQ(ElfType(result->cubin), Elf64View::kExecutable);
  EXPECT_EQ(result->lto_ir, "");
  EXPECT_EQ(result->provider, "nvrtc");
  EXPECT_EQ(result->tool_version,
            absl::StrCat("nvrtc ", provider_->ToolVersion().value().ToString()));
  EXPECT_GT(result->duration, absl::ZeroDuration());
  EXPECT_FALSE(result->from_cache);
  ASSERT_EQ(result->kernels.size(), 1u);
  EXPECT_EQ(result->kernels[0].name, "scale");
  EXPECT_GT(result->kernels[0].registers, 0);
  EXPECT_EQ(result->kernels[0].static_shared_bytes, 256);
  EXPECT_THAT(result->log, HasSubstr("Compiling entry function 'scale'"));
}

TEST_F(NvrtcProviderTest, GivesOnlyWhatIsAskedFor) {
  absl::StatusOr<CompileResult> ptx = Compile(kScaleCuda, "sm_90", {kPtx});
  ASSERT_TRUE(ptx.ok()) << ptx.status();
  EXPECT_EQ(ptx->cubin, "");
  absl::StatusOr<CompileResult> cubin = Compile(kScaleCuda, "sm_90", {kCubin});
  ASSERT_TRUE(cubin.ok()) << cubin.status();
  EXPECT_EQ(cubin->ptx, "");
  absl::StatusOr<CompileResult> both = Compile(kScaleCuda, "sm_90", {kPtx, kCubin});
  ASSERT_TRUE(both.ok()) << both.status();
  // However it is asked for, it is the same code.
  EXPECT_EQ(both->ptx, ptx->ptx);
  EXPECT_TRUE(both->cubin == cubin->cubin);
}

TEST_F(NvrtcProviderTest, GivesLtoIrAloneOrBesideTheOthers) {
  absl::StatusOr<CompileResult> alone = Compile(kScaleCuda, "sm_90", {kLtoIr});
  ASSERT_TRUE(alone.ok()) << alone.status();
  EXPECT_THAT(alone->lto_ir, Not(StartsWith("//")));
  EXPECT_GT(alone->lto_ir.size(), 500u);
  EXPECT_EQ(alone->ptx + alone->cubin, "");
  absl::StatusOr<CompileResult> all = Compile(kScaleCuda, "sm_90", {kLtoIr, kCubin, kPtx});
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_TRUE(all->lto_ir == alone->lto_ir);
  EXPECT_EQ(ElfType(all->cubin), Elf64View::kExecutable);
  EXPECT_THAT(all->ptx, HasSubstr(".target sm_90"));
}

TEST_F(NvrtcProviderTest, CompilesForEveryTargetOfItsToolkit) {
  const Version version = provider_->ToolVersion().value();
  const std::vector<ComputeCapability> targets =
      VersionTables::Embedded().TargetsOfToolkit(version).value();
  EXPECT_GE(targets.size(), 20u);
  for (const ComputeCapability& target : targets) {
    absl::StatusOr<CompileResult> result = Compile(kScaleCuda, target.SmName(), {kPtx, kCubin});
    ASSERT_TRUE(result.ok()) << target.SmName() << ": " << result.status();
    EXPECT_THAT(result->ptx, HasSubstr(absl::StrCat(".target ", target.SmName(), "\n")));
    EXPECT_EQ(ElfType(result->cubin), Elf64View::kExecutable);
    ASSERT_EQ(result->kernels.size(), 1u) << target.SmName();
    EXPECT_GT(result->kernels[0].registers, 0) << target.SmName();
  }
}

TEST_F(NvrtcProviderTest, VersionsAgreeWithTheTables) {
  const Version version = provider_->ToolVersion().value();
  EXPECT_GE(version.size(), 3u) << version.ToString();
  EXPECT_EQ(provider_->LatestPtxIsaVersion().value(),
            VersionTables::Embedded().HighestPtxIsa(version).value());
}

TEST_F(NvrtcProviderTest, AnUnknownTargetNamesTheKnownOnes) {
  for (const ComputeCapability target : {ComputeCapability(7, 0), ComputeCapability(19, 0),
                                         ComputeCapability(9, 0, ComputeCapability::Kind::kFamily),
                                         ComputeCapability(8, 0, ComputeCapability::Kind::kArch)}) {
    CompileRequest request = Request({CudaInput("k.cu", kScaleCuda)}, "sm_90", {kCubin});
    request.target = target;
    const absl::Status status = provider_->Compile(request).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
    EXPECT_THAT(status.message(), StartsWith("nvrtc "));
    EXPECT_THAT(status.message(),
                HasSubstr(absl::StrCat("does not compile for ", target.SmName(), "; it knows ")));
    EXPECT_THAT(status.message(), HasSubstr("sm_80, "));
    EXPECT_THAT(status.message(), HasSubstr(", sm_120"));
  }
}

TEST_F(NvrtcProviderTest, AnErrorShowsFileLineAndSource) {
  const absl::Status status =
      Compile("__global__ void k(int* p) {\n  *p = nonsense;\n  *p = 1 +;\n}\n", "sm_90", {kCubin})
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(),
              HasSubstr("dir/kernel.cu(2): error: identifier \"nonsense\" is undefined"));
  EXPECT_THAT(status.message(), HasSubstr("  *p = nonsense;"));
  EXPECT_THAT(status.message(), HasSubstr("dir/kernel.cu(3): error: expected an expression"));
}

TEST_F(NvrtcProviderTest, ErrorsOfTheAssemblerKeepTheirKind) {
  const absl::Status shared = Compile(
                                  "__global__ void big(int* p) { __shared__ int x[200000];\n"
                                  "x[threadIdx.x] = 1; __syncthreads(); *p = x[5]; }",
                                  "sm_90", {kCubin})
                                  .status();
  EXPECT_EQ(shared.code(), absl::StatusCode::kResourceExhausted) << shared;
  EXPECT_THAT(shared.message(), HasSubstr("800000"));

  const absl::Status undefined = Compile(kCallerCuda, "sm_90", {kCubin}).status();
  EXPECT_EQ(undefined.code(), absl::StatusCode::kNotFound) << undefined;
  EXPECT_THAT(undefined.message(), HasSubstr("_Z6helperi"));
}

TEST_F(NvrtcProviderTest, WarningsComeWithFileAndLine) {
  absl::StatusOr<CompileResult> result =
      Compile("__global__ void k() {\n  int unused;\n}", "sm_90", {kCubin, kLtoIr});
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_THAT(result->warnings,
              ElementsAre(AllOf(StartsWith("dir/kernel.cu(2): "), HasSubstr("\"unused\""))));
}

TEST_F(NvrtcProviderTest, FindsCudaHeadersAndLibcudacxx) {
  absl::StatusOr<CompileResult> result = Compile(
      "#include <cuda_fp16.h>\n#include <cuda/std/cstdint>\n"
      "__global__ void k(__half* p, cuda::std::int64_t n) { p[n] = __float2half(1.0f); }",
      "sm_90", {kCubin});
  EXPECT_TRUE(result.ok()) << result.status();
}

TEST_F(NvrtcProviderTest, AMissingHeaderPackageIsNamed) {
  ToolPaths paths = cuda_;
  paths.cuda_include.clear();
  const absl::Status status =
      MakeNvrtcProvider(paths)
          ->Compile(Request({CudaInput("k.cu", "#include <cuda_fp16.h>\n")}, "sm_90", {kPtx}))
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(status.message(), HasSubstr("k.cu(1)"));
  EXPECT_THAT(status.message(), HasSubstr("pip install nvidia-cuda-runtime"));
}

TEST_F(NvrtcProviderTest, SearchesIncludeFoldersInOrderAndNowhereElse) {
  const fs::path first = Folder("first");
  const fs::path second = Folder("second");
  Write(first / "which.h", "#define WHICH 1\n");
  Write(second / "which.h", "#define WHICH 2\n");
  Write(second / "cuda_fp16.h", "#define SHADOWED 1\n");
  constexpr char kSource[] =
      "#include <which.h>\n#include \"cuda_fp16.h\"\nstatic_assert(WHICH == EXPECTED);\n"
      "static_assert(SHADOWED == 1);\n";
  for (const auto& [folders, expected] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{first.string(), second.string()}, "1"}, {{second.string(), first.string()}, "2"}}) {
    CompileOptions options;
    options.include_dirs = folders;
    options.defines = {absl::StrCat("EXPECTED=", expected)};
    absl::StatusOr<CompileResult> result = Compile(kSource, "sm_90", {kPtx}, options);
    EXPECT_TRUE(result.ok()) << result.status();
  }

  // Neither the working directory nor the folder of the source's name counts.
  const fs::path before = fs::current_path();
  fs::current_path(first);
  fs::create_directories("dir");
  Write("dir/which.h", "");
  const absl::Status status = Compile("#include \"which.h\"\n", "sm_90", {kPtx}).status();
  fs::current_path(before);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(status.message(), HasSubstr("which.h"));
}

TEST_F(NvrtcProviderTest, OptionsReachTheCompiler) {
  CompileOptions options;
  options.defines = {"ONE", "TWO=2"};
  options.language_standard = "c++20";
  EXPECT_TRUE(Compile("static_assert(ONE == 1 && TWO == 2 && __cplusplus == 202002L);", "sm_90",
                      {kPtx}, options)
                  .ok());

  constexpr char kDivide[] = "__global__ void k(float* p) { p[0] = p[1] / p[2]; }";
  EXPECT_THAT(Compile(kDivide, "sm_90", {kPtx})->ptx, HasSubstr("div.rn.f32"));
  options = {};
  options.fast_math = true;
  EXPECT_THAT(Compile(kDivide, "sm_90", {kPtx}, options)->ptx, HasSubstr("div.approx.ftz.f32"));

  options = {};
  options.relocatable = true;
  EXPECT_EQ(ElfType(Compile(kCallerCuda, "sm_90", {kCubin}, options)->cubin),
            Elf64View::kRelocatable);

  options = {};
  options.max_registers = 24;
  absl::StatusOr<CompileResult> bounded = Compile(
      "__global__ void k(float* p) { float s[64];\n#pragma unroll\n"
      "for (int i = 0; i < 64; ++i) s[i] = p[i * 32];\n__syncthreads();\n#pragma unroll\n"
      "for (int i = 0; i < 64; ++i) p[i] = s[63 - i]; }",
      "sm_90", {kCubin}, options);
  ASSERT_TRUE(bounded.ok()) << bounded.status();
  ASSERT_EQ(bounded->kernels.size(), 1u);
  EXPECT_LE(bounded->kernels[0].registers, 24);
  EXPECT_GT(bounded->kernels[0].spill_store_bytes, 0);
  EXPECT_GT(bounded->kernels[0].spill_load_bytes, 0);

  options = {};
  options.optimization_level = 0;
  EXPECT_TRUE(Compile(kScaleCuda, "sm_90", {kCubin}, options)->cubin !=
              Compile(kScaleCuda, "sm_90", {kCubin})->cubin);

  options = {};
  options.extra = {"--restrict", "--no-such-option"};
  const absl::Status status = Compile(kScaleCuda, "sm_90", {kCubin}, options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("--no-such-option"));
}

TEST_F(NvrtcProviderTest, RefusesOtherForms) {
  EXPECT_EQ(provider_->Supports(Request({PtxInput("k.ptx", "x")}, "sm_90", {kCubin})),
            absl::UnimplementedError("nvrtc takes CUDA C++, not PTX (k.ptx)"));
  const CompileRequest two =
      Request({CudaInput("a.cu", "x"), CudaInput("b.cu", "x")}, "sm_90", {kCubin});
  EXPECT_EQ(provider_->Supports(two),
            absl::UnimplementedError("nvrtc takes one input at a time, not 2"));
  EXPECT_EQ(provider_->Compile(two).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(provider_->Compile(Request({}, "sm_90", {kCubin})).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(NvrtcProviderTest, AMissingLibraryIsNotFoundUntilItIsThere) {
  const fs::path folder = Folder("late");
  ToolPaths paths = cuda_;
  paths.nvrtc = (folder / "libnvrtc.so.13").string();
  const std::unique_ptr<Provider> late = MakeNvrtcProvider(paths);
  const CompileRequest request = Request({CudaInput("k.cu", kScaleCuda)}, "sm_90", {kCubin});
  for (const absl::Status& status :
       {late->Supports(request), late->Compile(request).status(), late->ToolVersion().status(),
        late->LatestPtxIsaVersion().status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
    EXPECT_THAT(status.message(), HasSubstr("pip install nvidia-cuda-nvrtc"));
  }
  // Installed meanwhile, with the library that it opens from its own folder.
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(cuda_.nvrtc).parent_path())) {
    if (absl::StartsWith(entry.path().filename().string(), "libnvrtc")) {
      fs::create_symlink(fs::canonical(entry.path()), folder / entry.path().filename());
    }
  }
  if (!fs::exists(paths.nvrtc)) fs::create_symlink(cuda_.nvrtc, paths.nvrtc);
  EXPECT_EQ(late->Supports(request), absl::OkStatus());
  absl::StatusOr<CompileResult> result = late->Compile(request);
  EXPECT_TRUE(result.ok()) << result.status();

  ToolPaths none;
  none.searched = {"/opt/nothing"};
  const absl::Status status = MakeNvrtcProvider(none)->Supports(request);
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("/opt/nothing"));
}

TEST_F(NvrtcProviderTest, ClosingNulsOfASourceDoNotCount) {
  absl::StatusOr<CompileResult> plain = Compile(kScaleCuda, "sm_90", {kCubin});
  absl::StatusOr<CompileResult> closed =
      Compile(absl::StrCat(kScaleCuda, std::string(2, '\0')), "sm_90", {kCubin});
  ASSERT_TRUE(plain.ok() && closed.ok()) << closed.status();
  EXPECT_TRUE(plain->cubin == closed->cubin);
}

// A source whose symbols, debug information and include paths could all carry
// something of the place or the run that it was compiled in.
constexpr char kRevealing[] = R"cuda(
#include "part.h"
namespace { __device__ int hidden; }
static __device__ __noinline__ int local(int x) { return x * hidden + part(x); }
extern "C" __global__ void k(int* p, const char** file) {
  auto lambda = [=](int x) { return local(x) + 1; };
  p[threadIdx.x] = lambda(threadIdx.x);
  *file = __FILE__;
}
)cuda";

class NvrtcDeterminismTest : public NvrtcProviderTest,
                             public ::testing::WithParamInterface<std::string_view> {
 protected:
  CompileOptions Options() const {
    CompileOptions options;
    options.include_dirs = {"include"};
    options.line_info = GetParam() == "line_info";
    options.device_debug = GetParam() == "device_debug";
    options.relocatable = GetParam() == "relocatable";
    return options;
  }
};

INSTANTIATE_TEST_SUITE_P(Options, NvrtcDeterminismTest,
                         ::testing::Values("plain", "line_info", "device_debug", "relocatable"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(NvrtcDeterminismTest, SameBytesInAnyFolder) {
  const fs::path before = fs::current_path();
  std::vector<CompileResult> results;
  for (const char* name : {"one", "another/and/deeper"}) {
    const fs::path folder = Folder(absl::StrCat(GetParam(), "/", name));
    fs::create_directories(folder / "include");
    Write(folder / "include/part.h", "inline __device__ int part(int x) { return x + 1; }\n");
    fs::current_path(folder);
    absl::StatusOr<CompileResult> result =
        Compile(kRevealing, "sm_90", {kPtx, kCubin, kLtoIr}, Options());
    fs::current_path(before);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_FALSE(absl::StrContains(result->cubin, folder.string()));
    EXPECT_FALSE(absl::StrContains(result->ptx, folder.string()));
    EXPECT_THAT(result->warnings, ElementsAre());
    results.push_back(*std::move(result));
  }
  EXPECT_TRUE(results[0].ptx == results[1].ptx);
  EXPECT_TRUE(results[0].cubin == results[1].cubin);
  EXPECT_TRUE(results[0].lto_ir == results[1].lto_ir);
}

TEST_P(NvrtcDeterminismTest, DiagnosticsKeepTheGivenNames) {
  const absl::Status status = Compile("\nint x = y;\n", "sm_90", {kCubin}, Options()).status();
  EXPECT_THAT(status.message(), HasSubstr("\ndir/kernel.cu(2): error"));
}

TEST_F(NvrtcProviderTest, SameBytesInParallel) {
  const std::vector<std::string_view> targets = {"sm_80", "sm_90a", "sm_100f"};
  std::vector<CompileResult> serial;
  for (const std::string_view target : targets) {
    absl::StatusOr<CompileResult> result = Compile(kScaleCuda, target, {kPtx, kCubin});
    ASSERT_TRUE(result.ok()) << result.status();
    serial.push_back(*std::move(result));
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (size_t j = 0; j < 2 * targets.size(); ++j) {
        const size_t at = (i + j) % targets.size();
        absl::StatusOr<CompileResult> result = Compile(kScaleCuda, targets[at], {kPtx, kCubin});
        ASSERT_TRUE(result.ok()) << result.status();
        EXPECT_TRUE(result->ptx == serial[at].ptx);
        EXPECT_TRUE(result->cubin == serial[at].cubin);
        EXPECT_EQ(result->kernels, serial[at].kernels);
        // Logs do not mix either.
        EXPECT_THAT(result->log, HasSubstr(absl::StrCat("for '", targets[at], "'")));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace warpyard::ptx
