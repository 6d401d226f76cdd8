// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/linkage.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(StrongPtxDefinitions, FindsFunctionsAndVariables) {
  constexpr std::string_view kPtx = R"(
// .visible .entry commented(
.version 9.5
.target sm_90, debug
.address_size 64
.file 1 "a; .visible .global .u32 quoted;"
.extern .func (.param .b32 func_retval0) imported (.param .b32 imported_param_0);
.visible .func declared_only;
.visible .func (.param .b32 result) prototype (.param .b32 p);
.visible .global .align 4 .u32 counter = 3;
.visible .const .align 16 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
.visible .global .align 8 .b8 zeros[1024];
.global .align 4 .u32 hidden;
.weak .global .align 4 .u32 weak_variable;
.common .global .align 4 .u32 common_variable;
.extern .shared .align 16 .b8 dynamic[];
.func local(.param .b32 x) { ret; }
.visible .func (.param .b32 result) helper(
	.param .b32 helper_param_0
)
{
	.reg .b32 %r<3>; { .visible_in_body: bra $L; }
	ret;
}
.weak .entry weak_kernel() { ret; }
.visible .entry _Z6kernelPf(.param .u64 _Z6kernelPf_param_0)
.maxntid 128, 1, 1
.minnctapersm 2
{
	ret;
}
.section .debug_str
{
	.b8 1
}
.visible .entry last() { ret; }
)";
  EXPECT_THAT(StrongPtxDefinitions(kPtx),
              ElementsAre("counter", "table", "zeros", "helper", "_Z6kernelPf", "last"));
}

TEST(StrongPtxDefinitions, SurvivesAnything) {
  EXPECT_THAT(StrongPtxDefinitions(""), IsEmpty());
  EXPECT_THAT(StrongPtxDefinitions("}}}) ; /* open"), IsEmpty());
  EXPECT_THAT(StrongPtxDefinitions(".visible"), IsEmpty());
  EXPECT_THAT(StrongPtxDefinitions(std::string_view("\xff\0.visible ;\"", 13)), IsEmpty());
  EXPECT_THAT(StrongPtxDefinitions("))) } .visible .entry k() {"), ElementsAre("k"));
}

CompileRequest Link(std::vector<Input> inputs) {
  return {.inputs = std::move(inputs),
          .target = ComputeCapability(9, 0),
          .outputs = {OutputKind::kCubin},
          .options = {}};
}

Input Ptx(std::string name, std::string body) {
  return {.kind = InputKind::kPtx, .name = std::move(name), .bytes = std::move(body)};
}

TEST(CheckLinkInputs, TwoDefinitionsNameBothInputs) {
  const absl::Status status = CheckLinkInputs(
      Link({Ptx("a.ptx", ".visible .func f() { ret; }"),
            Ptx("b.ptx", ".visible .func g() { ret; }"), Ptx("", ".visible .func f() { ret; }")}));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("'f' is defined in a.ptx and again in input 3"));
}

TEST(CheckLinkInputs, DeclarationsAndWeakDefinitionsAreFine) {
  EXPECT_EQ(CheckLinkInputs(Link({Ptx("a.ptx", ".visible .func f() { ret; }"),
                                  Ptx("b.ptx", ".extern .func f(); .weak .func w() { ret; }"),
                                  Ptx("c.ptx", ".visible .func f; .weak .func w() { ret; }")})),
            absl::OkStatus());
}

TEST(CheckLinkInputs, ADamagedCubinIsNamed) {
  const absl::Status status =
      CheckLinkInputs(Link({{.kind = InputKind::kCubin, .name = "a.cubin", .bytes = "nonsense"}}));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("a.cubin is not a CUBIN"));
}

}  // namespace
}  // namespace warpyard::ptx
