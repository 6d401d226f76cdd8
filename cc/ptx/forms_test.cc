// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/forms.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

using ::testing::HasSubstr;

CompileRequest Valid() {
  return {.inputs = {{.kind = InputKind::kPtx, .name = "k.ptx", .bytes = ".version 9.0"}},
          .target = ComputeCapability(9, 0),
          .outputs = {OutputKind::kCubin},
          .options = {}};
}

TEST(ValidateRequest, AcceptsWhatToolsAccept) {
  CompileRequest request = Valid();
  EXPECT_EQ(ValidateRequest(request), absl::OkStatus());
  request.inputs[0].bytes.append(2, '\0');
  EXPECT_EQ(ValidateRequest(request), absl::OkStatus());
  request.inputs[0] = {.kind = InputKind::kCubin, .name = "", .bytes = std::string("\x7f\0ELF", 5)};
  request.outputs = {OutputKind::kPtx, OutputKind::kCubin};
  request.options.max_registers = 255;
  EXPECT_EQ(ValidateRequest(request), absl::OkStatus());
}

TEST(ValidateRequest, NamesWhatIsWrong) {
  const std::vector<std::pair<std::function<void(CompileRequest&)>, std::string>> cases = {
      {[](CompileRequest& r) { r.inputs.clear(); }, "at least one input"},
      {[](CompileRequest& r) { r.inputs.resize(5000, r.inputs[0]); }, "5000 inputs"},
      {[](CompileRequest& r) { r.outputs.clear(); }, "at least one output"},
      {[](CompileRequest& r) { r.outputs = {OutputKind::kLtoIr, OutputKind::kLtoIr}; },
       "twice for the output form LTO IR"},
      {[](CompileRequest& r) { r.target = ComputeCapability(); }, "needs a target"},
      {[](CompileRequest& r) { r.inputs[0].bytes.clear(); }, "k.ptx is empty; PTX was expected"},
      {[](CompileRequest& r) { r.inputs[0].bytes = std::string("a\0b", 3); },
       "k.ptx holds a NUL byte"},
      {[](CompileRequest& r) { r.inputs[0].name = "a\nb"; }, "the name of input 1"},
      {[](CompileRequest& r) { r.inputs[0].name = std::string(5000, 'x'); }, "the name of input 1"},
      {[](CompileRequest& r) {
         r.inputs[0] = {.kind = InputKind::kCubin, .name = "", .bytes = ""};
       },
       "input 1 is empty; CUBIN was expected"},
      {[](CompileRequest& r) { r.options.optimization_level = 4; }, "optimization_level is 4"},
      {[](CompileRequest& r) { r.options.optimization_level = -1; }, "optimization_level is -1"},
      {[](CompileRequest& r) { r.options.max_registers = 256; }, "max_registers is 256"},
      {[](CompileRequest& r) { r.options.max_registers = 0; }, "max_registers is 0"},
      {[](CompileRequest& r) { r.options.language_standard.clear(); }, "language_standard"},
      {[](CompileRequest& r) { r.options.defines = {""}; }, "defines"},
      {[](CompileRequest& r) { r.options.include_dirs = {std::string("a\0", 2)}; }, "include_dirs"},
      {[](CompileRequest& r) { r.options.extra = {""}; }, "extra"},
  };
  for (const auto& [damage, message] : cases) {
    CompileRequest request = Valid();
    damage(request);
    const absl::Status status = ValidateRequest(request);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << message;
    EXPECT_THAT(status.message(), HasSubstr(message));
  }
}

TEST(CheckForms, SaysWhatTheProviderTakesAndGives) {
  const ProviderForms ptxas = {.inputs = {InputKind::kPtx}, .outputs = {OutputKind::kCubin}};
  EXPECT_EQ(CheckForms("ptxas", ptxas, Valid()), absl::OkStatus());

  CompileRequest request = Valid();
  request.inputs[0].kind = InputKind::kCudaCpp;
  EXPECT_EQ(CheckForms("ptxas", ptxas, request),
            absl::UnimplementedError("ptxas takes PTX, not CUDA C++ (k.ptx)"));

  request = Valid();
  request.outputs = {OutputKind::kCubin, OutputKind::kPtx};
  EXPECT_EQ(CheckForms("ptxas", ptxas, request),
            absl::UnimplementedError("ptxas gives CUBIN, not PTX"));

  request = Valid();
  request.inputs.push_back(request.inputs[0]);
  EXPECT_EQ(CheckForms("ptxas", ptxas, request),
            absl::UnimplementedError("ptxas takes one input at a time, not 2"));
  EXPECT_EQ(CheckForms("linker",
                       {.inputs = {InputKind::kPtx, InputKind::kCubin},
                        .outputs = {OutputKind::kCubin},
                        .links = true},
                       request),
            absl::OkStatus());
}

TEST(SourceText, DropsNulsAtTheEndAlone) {
  EXPECT_EQ(SourceText({.kind = InputKind::kPtx, .name = "", .bytes = std::string("a\0\0", 3)}),
            "a");
  EXPECT_EQ(SourceText({.kind = InputKind::kPtx, .name = "", .bytes = std::string("\0a", 2)}),
            std::string("\0a", 2));
}

}  // namespace
}  // namespace warpyard::ptx
