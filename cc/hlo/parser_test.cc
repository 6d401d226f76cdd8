// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/hlo/parser.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "cc/hlo/printer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::hlo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<Module> Parse(std::string_view text, const ParseOptions& options = {}) {
  auto module = ParseModule(text, options);
  EXPECT_TRUE(module.ok()) << module.status();
  return module.ok() ? *std::move(module) : nullptr;
}

std::string Error(std::string_view text) {
  auto module = ParseModule(text);
  return module.ok() ? "no error" : std::string(module.status().message());
}

// One instruction over a few operands.
std::string InEntry(std::string_view lines) {
  return absl::StrCat("HloModule m\n\nENTRY e {\n  p = f32[4,8]{1,0} parameter(0)\n", lines,
                      "\n}\n\n");
}

constexpr std::string_view kReduce =
    R"(HloModule sums, entry_computation_layout={(f32[4,8]{1,0})->f32[4]{0}}

%add (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %sum = f32[] add(%x, %y)
}

ENTRY %main (p: f32[4,8]) -> f32[4] {
  %p = f32[4,8]{1,0} parameter(0)
  %zero = f32[] constant(0)
  ROOT %r = f32[4]{0} reduce(%p, %zero), dimensions={1}, to_apply=%add
}

)";

TEST(ParserTest, ReadsAModule) {
  const auto module = Parse(kReduce);
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->name(), "sums");
  EXPECT_EQ(module->computations().size(), 2);
  EXPECT_EQ(module->entry()->name(), "main");
  ASSERT_TRUE(module->entry_layout().has_value());
  EXPECT_EQ(module->entry_layout()->result, *Shape::Parse("f32[4]{0}"));
  const Instruction* root = module->entry()->root();
  EXPECT_EQ(root->opcode(), Opcode::kReduce);
  EXPECT_THAT(root->GetIntegers("dimensions"), ElementsAre(1));
  EXPECT_EQ(root->Get<Computation*>("to_apply"), module->Find("add"));
  EXPECT_EQ(root->operand(1)->literal()->GetDouble(0), 0);
  EXPECT_EQ(ModuleToString(*module), kReduce);
}

TEST(ParserTest, PrintsBothForms) {
  const auto module = Parse(kReduce);
  const std::string text = ModuleToString(*module, {.long_form = false});
  EXPECT_THAT(text, HasSubstr("\nENTRY main {\n  p = f32[4,8]{1,0} parameter(0)\n"));
  EXPECT_EQ(ModuleToString(*Parse(text)), kReduce);
}

TEST(ParserTest, ComputationsMayFollowTheirCallers) {
  const auto module = Parse(
      "HloModule m\nENTRY e { p = f32[] parameter(0)\n ROOT c = f32[] call(p), to_apply=f }\n"
      "f { q = f32[] parameter(0) }");
  EXPECT_EQ(module->entry()->root()->Get<Computation*>("to_apply")->name(), "f");
}

TEST(ParserTest, OperandsMayHaveShapes) {
  const auto module = Parse(InEntry("  ROOT t = (f32[4,8]) tuple(f32[4,8]{1,0} %p)"));
  EXPECT_EQ(module->entry()->root()->operand(0)->name(), "p");
}

TEST(ParserTest, ReadsAttributesOfEveryForm) {
  for (const std::string_view line : {
           "  ROOT r = f32[8,4]{1,0} transpose(p), dimensions={1,0}",
           "  ROOT r = f32[2,3]{1,0} slice(p), slice={[0:4:2], [1:7:2]}",
           "  ROOT r = f32[2,3]{1,0} slice(p), slice={[0:2], [1:4]}",
           "  ROOT r = f32[9,16]{1,0} pad(p, p), padding=1_4_1x4_-4_0",
           "  ROOT r = f32[4,4]{1,0} reduce-window(p, p), window={size=1x3 stride=1x2 pad=0_0x1_0 "
           "lhs_dilate=1x2 rhs_dilate=1x2 rhs_reversal=0x1}, to_apply=e2",
           "  ROOT r = f32[4,8]{1,0} convolution(p, p), window={}, dim_labels=bf_io->bf, "
           "operand_precision={highest,default}",
           "  ROOT r = pred[4,8]{1,0} compare(p, p), direction=LT, type=TOTALORDER",
           "  ROOT r = f32[4,8]{1,0} all-reduce(p), channel_id=1, replica_groups=[2,4]<=[4,2]T(1,0)"
           ", use_global_device_ids=true, to_apply=e2",
           "  ROOT r = f32[4,8]{1,0} all-reduce(p), replica_groups={{0,1},{2,3}}, to_apply=e2",
           "  ROOT r = f32[4,8]{1,0} collective-permute(p), source_target_pairs={{0,1},{1,0}}",
           "  ROOT r = f32[4,8]{1,0} custom-call(p), custom_call_target=\"a\\\"b\", "
           "called_computations={e2, e2}, api_version=API_VERSION_TYPED_FFI, "
           "backend_config={\"k\":[1,{\"a\":\"}\"}]}",
           "  ROOT r = f32[4,8]{1,0} copy(p), sharding={devices=[2,1]<=[2]}, "
           "metadata={op_name=\"a, b}\" source_line=3}, control-predecessors={p}",
       }) {
    const std::string text =
        absl::StrCat("HloModule m\n\ne2 {\n  ROOT q = f32[] parameter(0)\n}\n\n",
                     InEntry(line).substr(std::string_view("HloModule m\n\n").size()));
    const auto module = Parse(text);
    ASSERT_NE(module, nullptr) << line;
    EXPECT_EQ(ModuleToString(*module, {.long_form = false}), text);
  }
}

TEST(ParserTest, ReadsShapesOfEveryKind) {
  const auto module =
      Parse(InEntry("  t = token[] after-all()\n"
                    "  b = b(f32[4]{0}) custom-call(), custom_call_target=\"x\"\n"
                    "  d = f32[<=4,8]{0,1:T(8,128)(2,1)S(1)} copy(p)\n"
                    "  ROOT r = (f32[4,8]{1,0}, (token[], s4[]), opaque[]) custom-call(d), "
                    "custom_call_target=\"y\""));
  const Instruction* d = module->entry()->root()->operand(0);
  EXPECT_TRUE(d->shape().is_dynamic(0));
  EXPECT_FALSE(d->shape().is_dynamic(1));
  EXPECT_EQ(d->shape().layout()->MemorySpace(), 1);
  EXPECT_THAT(d->shape().MinorToMajor(), ElementsAre(0, 1));
  EXPECT_EQ(module->entry()->root()->shape().elements().size(), 3);
}

TEST(ParserTest, SaysWhereSomethingIsWrong) {
  EXPECT_EQ(Error(InEntry("  ROOT r = f32[4] abs(q)")),
            "line 5, column 23: no instruction q stands before this one in e\n"
            "    ROOT r = f32[4] abs(q)\n"
            "                        ^");
  EXPECT_THAT(Error(""), HasSubstr("line 1, column 1: expected 'HloModule', found the end"));
  EXPECT_THAT(Error("HloModule m"), HasSubstr("expected a computation, found the end"));
  EXPECT_THAT(Error(InEntry("  r = f32[4] frobnicate(p)")),
              HasSubstr("line 5, column 14: there is no opcode 'frobnicate'"));
  EXPECT_THAT(Error(InEntry("  r = f32[4] abs(p), colour=3")),
              HasSubstr("there is no attribute 'colour'"));
  EXPECT_THAT(Error(InEntry("  r = f99[4] abs(p)")), HasSubstr("expected a shape, found 'f99'"));
  EXPECT_THAT(Error(InEntry("  r = f32[4]{1} abs(p)")),
              HasSubstr("a layout of 1 dimensions cannot have 1 here"));
  EXPECT_THAT(Error(InEntry("  r = f32[99999999999999999999] abs(p)")),
              HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(Error(InEntry("  p = f32[4] abs(p)")), HasSubstr("two instructions p in e"));
  EXPECT_THAT(Error(InEntry("  r = f32[2] constant({1, x})")), HasSubstr("line 5, column 27"));
  EXPECT_THAT(Error(InEntry("  r = f32[4] abs(p), dimensions={1,")), HasSubstr("an integer"));
  EXPECT_THAT(Error(InEntry("  r = f32[4] call(p), to_apply=nobody")),
              HasSubstr("there is no computation nobody"));
  EXPECT_THAT(Error(InEntry("  ROOT r = f32[4] abs(p)\n  ROOT s = f32[4] abs(p)")),
              HasSubstr("a second ROOT"));
  EXPECT_THAT(Error(InEntry("  r = f32[4] call(p), to_apply=e")),
              HasSubstr("computation e calls itself"));
  EXPECT_THAT(Error(InEntry("  r = f32[4] parameter(99999999)")),
              HasSubstr("there is no parameter 99999999"));
  EXPECT_THAT(Error(InEntry("  r = f32[4] abs(p), window={size=3x3 stride=2}")),
              HasSubstr("the window has 2 dimensions, 'stride' 1"));
  EXPECT_THAT(Error(InEntry("  r = f32[4] abs(p), dim_labels=bf01_oi0->bf01")),
              HasSubstr("differ in length"));
}

TEST(ParserTest, KeepsUnknownAttributesWhereAsked) {
  const std::string text = InEntry("  ROOT r = f32[4] abs(p), colour={red, {1,2}}");
  const auto module = Parse(text, {.allow_unknown_attributes = true});
  EXPECT_EQ(ModuleToString(*module, {.long_form = false}), text);
}

TEST(ParserTest, ConstantsMayBeLeftOut) {
  const std::string text = InEntry("  ROOT r = f32[4]{0} constant({...})");
  EXPECT_EQ(Parse(text)->entry()->root()->literal(), nullptr);
  EXPECT_FALSE(ParseModule(text, {.allow_elided_constants = false}).ok());
  const auto module = Parse(InEntry("  ROOT r = f32[3]{0} constant({1, 2, 3})"));
  EXPECT_THAT(ModuleToString(*module, {.elide_constants_above = 2}), HasSubstr("constant({...})"));
}

// Deep nesting must end in an error, not in a stack overflow.
TEST(ParserTest, DepthIsBounded) {
  const std::string deep(100000, '(');
  EXPECT_THAT(Error(InEntry("  r = " + deep)), HasSubstr("nested more than"));
  EXPECT_THAT(Error(InEntry("  r = f32[] abs(p), sharding=" + std::string(100000, '{'))),
              HasSubstr("'}' is missing"));
}

}  // namespace
}  // namespace warpyard::hlo
