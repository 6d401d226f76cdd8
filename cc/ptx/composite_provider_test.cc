// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/composite_provider.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/elf64.h"
#include "cc/ptx/forms.h"
#include "cc/ptx/linkage.h"
#include "cc/ptx/make_provider.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/testing/cuda_for_test.h"
#include "cc/ptx/testing/relocatable.h"
#include "cc/ptx/testing/requests.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr OutputKind kPtx = OutputKind::kPtx;
constexpr OutputKind kLtoIr = OutputKind::kLtoIr;
constexpr OutputKind kCubin = OutputKind::kCubin;

// A provider of given forms that gives its name and the names of its inputs.
class NamedProvider : public Provider {
 public:
  NamedProvider(std::string name, ProviderForms forms, absl::Status tool = absl::OkStatus())
      : name_(std::move(name)), forms_(std::move(forms)), tool_(std::move(tool)) {}

  std::string_view name() const override { return name_; }
  absl::StatusOr<Version> ToolVersion() override {
    if (!tool_.ok()) return tool_;
    return Version(1, static_cast<uint32_t>(name_.size()));
  }
  absl::StatusOr<Version> LatestPtxIsaVersion() override { return ToolVersion(); }
  absl::Status Supports(const CompileRequest& request) override {
    const absl::Status forms = CheckForms(name_, forms_, request);
    return forms.ok() ? tool_ : forms;
  }
  absl::StatusOr<CompileResult> Compile(const CompileRequest& request) override {
    std::string made = name_;
    for (const Input& input : request.inputs) absl::StrAppend(&made, "<", input.bytes, ">");
    if (request.options.relocatable) made += " relocatable";
    for (const std::string& option : request.options.extra) absl::StrAppend(&made, " ", option);
    CompileResult result;
    if (Wants(request, kPtx)) result.ptx = made;
    if (Wants(request, kCubin)) result.cubin = made;
    result.log = absl::StrCat(name_, " log\n");
    result.warnings = {absl::StrCat(name_, " warning")};
    result.provider = name_;
    result.tool_version = absl::StrCat(name_, " 1");
    return result;
  }

 private:
  const std::string name_;
  const ProviderForms forms_;
  const absl::Status tool_;
};

const ProviderForms& FrontForms() {
  static const auto* const forms =
      new ProviderForms{.inputs = {InputKind::kCudaCpp}, .outputs = {kPtx}, .links = false};
  return *forms;
}

const ProviderForms& BackForms() {
  static const auto* const forms = new ProviderForms{
      .inputs = {InputKind::kPtx, InputKind::kCubin}, .outputs = {kCubin}, .links = true};
  return *forms;
}

std::unique_ptr<Provider> Composite(std::vector<NamedProvider*> providers) {
  std::vector<std::unique_ptr<Provider>> owned;
  for (NamedProvider* provider : providers) owned.emplace_back(provider);
  return MakeCompositeProvider(std::move(owned));
}

const absl::Status kMissing = absl::NotFoundError("install it");

TEST(CompositeProvider, TakesTheFirstThatSupportsTheRequest) {
  const std::unique_ptr<Provider> composite = Composite(
      {new NamedProvider("front", FrontForms()), new NamedProvider("absent", BackForms(), kMissing),
       new NamedProvider("back", BackForms()), new NamedProvider("last", BackForms())});
  absl::StatusOr<CompileResult> result =
      composite->Compile(Request({PtxInput("k.ptx", "code")}, "sm_90", {kCubin}));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->cubin, "back<code>");
  // Who, and why not those before it.
  EXPECT_THAT(result->provider, StartsWith("back "));
  EXPECT_THAT(result->provider, HasSubstr("front takes CUDA C++, not PTX (k.ptx)"));
  EXPECT_THAT(result->provider, HasSubstr("absent: install it"));
  EXPECT_EQ(
      composite->ToolIdentity(Request({PtxInput("k.ptx", "code")}, "sm_90", {kCubin})).value(),
      "back 1.4");
}

TEST(CompositeProvider, ChainsWhatNoneDoesAlone) {
  const std::unique_ptr<Provider> composite =
      Composite({new NamedProvider("front", FrontForms()), new NamedProvider("back", BackForms())});
  CompileOptions options;
  options.extra = {"--for-the-front"};
  const CompileRequest request =
      Request({CudaInput("k.cu", "code")}, "sm_90", {kCubin, kPtx}, options);
  absl::StatusOr<CompileResult> result = composite->Compile(request);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->ptx, "front<code> --for-the-front");
  EXPECT_EQ(result->cubin, "back<front<code> --for-the-front>");
  EXPECT_THAT(result->provider, StartsWith("front, then back"));
  EXPECT_EQ(result->tool_version, "front 1 + back 1");
  EXPECT_EQ(result->log, "front log\nback log\n");
  EXPECT_THAT(result->warnings, ::testing::ElementsAre("front warning", "back warning"));
  EXPECT_EQ(composite->ToolIdentity(request).value(), "front 1.5 + back 1.4");
}

TEST(CompositeProvider, LinksSourcesAndObjects) {
  const std::unique_ptr<Provider> composite =
      Composite({new NamedProvider("front", FrontForms()), new NamedProvider("back", BackForms())});
  absl::StatusOr<CompileResult> result = composite->Compile(Request(
      {CudaInput("a.cu", "a"), PtxInput("b.ptx", "b"), CudaInput("c.cu", "c")}, "sm_90", {kCubin}));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->cubin, "back<front<a> relocatable><b><front<c> relocatable>");
}

TEST(CompositeProvider, AnErrorListsEveryProviderWithItsReason) {
  const std::unique_ptr<Provider> composite =
      Composite({new NamedProvider("front", FrontForms()), new NamedProvider("back", BackForms())});
  const absl::Status forms =
      composite->Compile(Request({LtoInput("k.lto", "x")}, "sm_90", {kCubin})).status();
  EXPECT_EQ(forms.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(forms.message(), HasSubstr("front takes CUDA C++, not LTO IR (k.lto)"));
  EXPECT_THAT(forms.message(), HasSubstr("back takes PTX, CUBIN, not LTO IR (k.lto)"));

  const std::unique_ptr<Provider> half = Composite(
      {new NamedProvider("front", FrontForms()), new NamedProvider("back", BackForms(), kMissing)});
  const absl::Status missing =
      half->Compile(Request({CudaInput("k.cu", "x")}, "sm_90", {kCubin})).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(missing.message(), HasSubstr("back: install it"));
  EXPECT_EQ(half->Supports(Request({CudaInput("k.cu", "x")}, "sm_90", {kPtx})), absl::OkStatus());
}

class RealCompositeTest : public ::testing::Test {
 protected:
  // The composite with some tools taken away.
  std::unique_ptr<Provider> Without(std::vector<std::string ToolPaths::*> missing) const {
    ToolPaths paths = CudaForTest();
    paths.driver = "/nowhere/libcuda.so.1";
    for (std::string ToolPaths::* const tool : missing) (paths.*tool).clear();
    return MakeProvider("auto", paths).value();
  }
};

TEST_F(RealCompositeTest, CudaTakesNvrtcAlone) {
  absl::StatusOr<CompileResult> result = Without({})->Compile(
      Request({CudaInput("k.cu", kScaleCuda)}, "sm_90a", {kPtx, kCubin, kLtoIr}));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->provider, "nvrtc");
}

TEST_F(RealCompositeTest, PtxTakesNvJitLinkElsePtxas) {
  const CompileRequest request =
      Request({PtxInput("k.ptx", EmptyKernelPtx("8.0", "sm_90"))}, "sm_90", {kCubin});
  EXPECT_THAT(Without({})->Compile(request)->provider, StartsWith("nvjitlink"));
  absl::StatusOr<CompileResult> result = Without({&ToolPaths::nvjitlink})->Compile(request);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->provider, StartsWith("ptxas"));
  EXPECT_THAT(result->provider, HasSubstr("pip install nvidia-nvjitlink"));
}

TEST_F(RealCompositeTest, NvvmIrBecomesACubin) {
  constexpr char kIr[] =
      "target triple = \"nvptx64-nvidia-cuda\"\n"
      "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-"
      "i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n"
      "define void @k() {\n  ret void\n}\n"
      "!nvvm.annotations = !{!0}\n!0 = !{void ()* @k, !\"kernel\", i32 1}\n"
      "!nvvmir.version = !{!1}\n!1 = !{i32 2, i32 0}\n";
  absl::StatusOr<CompileResult> result = Without({})->Compile(Request(
      {{.kind = InputKind::kNvvmIr, .name = "k.ll", .bytes = kIr}}, "sm_90", {kPtx, kCubin}));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->provider, StartsWith("nvvm, then nvjitlink"));
  EXPECT_THAT(result->ptx, HasSubstr(".visible .entry k("));
  EXPECT_THAT(StrongCubinDefinitions(result->cubin).value(), Contains("k"));
}

TEST_F(RealCompositeTest, SeveralCudaSourcesAreLinked) {
  const CompileRequest request =
      Request({CudaInput("caller.cu", kCallerCuda), CudaInput("helper.cu", kHelperCuda)}, "sm_90",
              {kCubin});
  absl::StatusOr<CompileResult> result = Without({})->Compile(request);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(Elf64View::Parse(result->cubin)->type(), Elf64View::kExecutable);
  EXPECT_THAT(StrongCubinDefinitions(result->cubin).value(), Contains("caller"));

  const absl::Status undefined =
      Without({})
          ->Compile(Request({CudaInput("caller.cu", kCallerCuda), CudaInput("k.cu", kScaleCuda)},
                            "sm_90", {kCubin}))
          .status();
  EXPECT_EQ(undefined.code(), absl::StatusCode::kNotFound) << undefined;
  EXPECT_THAT(undefined.message(), HasSubstr("_Z6helperi"));
}

TEST_F(RealCompositeTest, CubinsTakeNvlinkWhereNvJitLinkIsMissing) {
  const CompileRequest request = Request({CompileObjects("caller", kCallerCuda, "sm_90").cubin,
                                          CompileObjects("helper", kHelperCuda, "sm_90").cubin},
                                         "sm_90", {kCubin});
  EXPECT_THAT(Without({})->Compile(request)->provider, StartsWith("nvjitlink"));
  EXPECT_THAT(Without({&ToolPaths::nvjitlink})->Compile(request)->provider, StartsWith("nvlink"));
}

TEST_F(RealCompositeTest, AMissingCompilerIsNamed) {
  const absl::Status status =
      Without({&ToolPaths::nvrtc})
          ->Compile(Request({CudaInput("k.cu", kScaleCuda)}, "sm_90", {kCubin}))
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
  EXPECT_THAT(status.message(), HasSubstr("pip install nvidia-cuda-nvrtc"));
  EXPECT_THAT(status.message(), Not(HasSubstr("nvidia-nvjitlink")));
}

}  // namespace
}  // namespace warpyard::ptx
