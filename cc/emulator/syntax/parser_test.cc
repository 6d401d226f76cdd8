// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/syntax/parser.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/emulator/syntax/ast.h"
#include "gtest/gtest.h"

namespace warpyard::emulator::syntax {
namespace {

using Kind = Operand::Kind;

constexpr std::string_view kHeader = ".version 8.5\n.target sm_90a, debug\n.address_size 64\n";

Module ParseOrDie(std::string_view text) {
  absl::StatusOr<Module> module = Parse(absl::StrCat(kHeader, text));
  EXPECT_TRUE(module.ok()) << module.status();
  return module.ok() ? *std::move(module) : Module();
}

// The function whose body is `body`.
Function Body(std::string_view body, Module* keep) {
  *keep = ParseOrDie(absl::StrCat(".visible .entry f()\n{\n", body, "\n}\n"));
  return keep->functions.empty() ? Function() : keep->functions[0];
}

Instruction One(std::string_view text, Module* keep) {
  const Function function = Body(text, keep);
  EXPECT_EQ(function.instructions.size(), 1u) << text;
  return function.instructions.empty() ? Instruction() : function.instructions[0];
}

std::string ErrorOf(std::string_view text) {
  const absl::StatusOr<Module> module = Parse(std::string(text));
  EXPECT_EQ(module.status().code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(module.status().message());
}

TEST(ParserTest, Header) {
  const Module module = ParseOrDie("");
  EXPECT_EQ(module.isa_major, 8);
  EXPECT_EQ(module.isa_minor, 5);
  EXPECT_EQ(module.target, "sm_90a");
  ASSERT_EQ(module.target_options.size(), 1u);
  EXPECT_EQ(module.target_options[0], "debug");
  EXPECT_EQ(module.address_size, 64);
}

TEST(ParserTest, AZeroByteEndsTheText) {
  std::string text(kHeader);
  text += '\0';
  text += "rubbish {";
  EXPECT_TRUE(Parse(text).ok());
}

TEST(ParserTest, KernelWithParametersAndDirectives) {
  const Module module = ParseOrDie(R"(
.visible .entry k(
  .param .u64 .ptr .global .align 16 k_param_0,
  .param .align 8 .b8 k_param_1[24],
  .param .f32 k_param_2
)
.maxntid 128, 1, 1
.minnctapersm 2
.explicitcluster
.reqnctapercluster 2, 1, 1
.pragma "used_bytes_mask 0xf";
{
  ret;
}
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.func (.reg .b32 r) g(.reg .b32 a) .noreturn { ret; }
.alias h, g;
)");
  ASSERT_EQ(module.functions.size(), 3u);
  const Function& k = module.functions[0];
  EXPECT_TRUE(k.is_entry);
  EXPECT_EQ(k.linkage, Linkage::kVisible);
  ASSERT_EQ(k.parameters.size(), 3u);
  EXPECT_TRUE(k.parameters[0].is_pointer);
  EXPECT_EQ(k.parameters[0].pointer_space, StateSpace::kGlobal);
  EXPECT_EQ(k.parameters[0].pointer_alignment, 16u);
  EXPECT_EQ(k.parameters[0].alignment, 0u);
  EXPECT_EQ(k.parameters[1].alignment, 8u);
  EXPECT_EQ(k.parameters[1].dimensions, std::vector<uint64_t>{24});
  EXPECT_EQ(k.parameters[2].type, ScalarType::kF32);
  ASSERT_EQ(k.directives.size(), 4u);
  EXPECT_EQ(k.directives[0].name, "maxntid");
  EXPECT_EQ(k.directives[0].values, (std::vector<uint64_t>{128, 1, 1}));
  EXPECT_EQ(k.directives[2].name, "explicitcluster");
  EXPECT_TRUE(k.directives[2].values.empty());
  EXPECT_TRUE(module.functions[1].is_declaration);
  EXPECT_EQ(module.functions[1].linkage, Linkage::kExtern);
  ASSERT_EQ(module.functions[2].results.size(), 1u);
  EXPECT_EQ(module.functions[2].results[0].space, StateSpace::kReg);
  ASSERT_EQ(module.aliases.size(), 1u);
  EXPECT_EQ(module.aliases[0].target, "g");
}

TEST(ParserTest, Opcodes) {
  Module keep;
  const Instruction copy =
      One("@!%p1 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
          "[%r1], [%rd2+64, {%r3, %r4}], [%r5+-8];",
          &keep);
  EXPECT_EQ(copy.opcode, "cp");
  EXPECT_EQ(copy.guard, "%p1");
  EXPECT_TRUE(copy.guard_negated);
  EXPECT_TRUE(copy.Has("2d"));
  EXPECT_TRUE(copy.Has("shared::cluster"));
  EXPECT_TRUE(copy.Has("mbarrier::complete_tx::bytes"));
  EXPECT_FALSE(copy.Has("shared"));
  ASSERT_EQ(copy.operands.size(), 3u);
  EXPECT_EQ(copy.operands[0].kind, Kind::kAddress);
  EXPECT_EQ(copy.operands[1].kind, Kind::kTensor);
  EXPECT_EQ(copy.operands[1].integer, 64u);
  ASSERT_EQ(copy.operands[1].elements.size(), 2u);
  EXPECT_EQ(copy.operands[1].elements[1].kind, Kind::kVector);
  EXPECT_EQ(copy.operands[2].integer, static_cast<uint64_t>(-8));
  EXPECT_EQ(copy.position.line, 6);
  EXPECT_EQ(copy.text.front(), '@');
  EXPECT_EQ(copy.text.back(), ']');
}

TEST(ParserTest, ModifiersMayStandApart) {
  Module keep;
  const Instruction add = One("add .s32\n  %r1, %r2 /* ; */, -5; // end", &keep);
  EXPECT_TRUE(add.Has("s32"));
  ASSERT_EQ(add.operands.size(), 3u);
  EXPECT_EQ(add.operands[2].kind, Kind::kInteger);
  EXPECT_TRUE(add.operands[2].minus);
  EXPECT_EQ(add.operands[2].integer, static_cast<uint64_t>(-5));
}

TEST(ParserTest, Operands) {
  Module keep;
  const Instruction odd =
      One("op %r1|%p2, _|%p3, _, {%f1, _, 0f3F800000}, !%p4, -%r5, %tid.x, %r6.b0, x+4, x-4, "
          "(1+2)*4, WARP_SZ-1, 0x10U, 1.5, [x], [%rd1-16], [4096], [t, s, {%f1}];",
          &keep);
  ASSERT_EQ(odd.operands.size(), 18u);
  EXPECT_EQ(odd.operands[0].kind, Kind::kPair);
  EXPECT_EQ(odd.operands[0].elements[1].identifier, "%p2");
  EXPECT_EQ(odd.operands[1].elements[0].kind, Kind::kSink);
  EXPECT_EQ(odd.operands[2].kind, Kind::kSink);
  EXPECT_EQ(odd.operands[3].elements[1].kind, Kind::kSink);
  EXPECT_TRUE(odd.operands[3].elements[2].float_is_32);
  EXPECT_TRUE(odd.operands[4].logical_not);
  EXPECT_TRUE(odd.operands[5].minus);
  EXPECT_EQ(odd.operands[6].identifier, "%tid");
  EXPECT_EQ(odd.operands[6].component, "x");
  EXPECT_EQ(odd.operands[7].component, "b0");
  EXPECT_EQ(odd.operands[8].integer, 4u);
  EXPECT_EQ(odd.operands[9].integer, static_cast<uint64_t>(-4));
  EXPECT_EQ(odd.operands[10].integer, 12u);
  EXPECT_EQ(odd.operands[11].integer, 31u);
  EXPECT_TRUE(odd.operands[12].is_unsigned);
  EXPECT_EQ(odd.operands[13].kind, Kind::kFloat);
  EXPECT_FALSE(odd.operands[13].float_is_32);
  EXPECT_EQ(odd.operands[15].integer, static_cast<uint64_t>(-16));
  EXPECT_EQ(odd.operands[16].elements[0].kind, Kind::kInteger);
  EXPECT_EQ(odd.operands[17].elements.size(), 3u);
}

TEST(ParserTest, ElementsOfArrays) {
  Module keep;
  const Instruction load = One("ld.global.u32 %r1, table[2*3];", &keep);
  EXPECT_EQ(load.operands[1].kind, Kind::kIdentifier);
  EXPECT_TRUE(load.operands[1].is_element);
  EXPECT_EQ(load.operands[1].integer, 6u);
}

TEST(ParserTest, LineMarkersAreSkipped) {
  Module keep;
  EXPECT_EQ(One("# 7 \"x.cu\"\nret;\n#pragma x", &keep).opcode, "ret");
}

TEST(ParserTest, Calls) {
  Module keep;
  const Function function = Body(R"(
{ // callseq 0, 0
  .param .b64 param0;
  st.param.b64 [param0+0], %rd1;
  call.uni (retval0), vprintf, (param0, 4);
  call (retval0), %rd2, (param0), prototype_0;
  call.uni leaf;
} // callseq 0
prototype_0 : .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]) .noreturn;
ts: .branchtargets L1, L2;
L1: L2: brx.idx %r1, ts;
)",
                                 &keep);
  ASSERT_EQ(function.instructions.size(), 5u);
  EXPECT_EQ(function.instructions[1].operands[0].kind, Kind::kList);
  EXPECT_EQ(function.instructions[1].operands[2].elements[1].integer, 4u);
  EXPECT_EQ(function.instructions[2].operands[3].identifier, "prototype_0");
  ASSERT_EQ(function.labelled.size(), 2u);
  EXPECT_EQ(function.labelled[0].parameters.size(), 2u);
  EXPECT_EQ(function.labelled[1].targets.size(), 2u);
  int labels = 0, scopes = 0;
  for (const Statement& statement : function.statements) {
    labels += statement.kind == Statement::Kind::kLabel;
    scopes += statement.kind == Statement::Kind::kScopeBegin;
  }
  EXPECT_EQ(labels, 2);
  EXPECT_EQ(scopes, 1);
}

TEST(ParserTest, VariablesAndInitialisers) {
  const Module module = ParseOrDie(R"(
.const .align 4 .b8 table[8] = {1, 0x2, -3};
.global .attribute(.managed) .align 8 .u64 pointers[] = {table, generic(table)+8, 0, table-4};
.global .b8 bytes[2] = {0xFF(table), 0xFF00(generic(table)+2)};
.global .f32 matrix[2][3] = {{1.0, 0f40000000}, {3.0}};
.global .v4 .f32 vector = {1.0, 2.0, 3.0, 4.0};
.global .b8 name[] = "a\n";
.extern .shared .align 16 .b8 dynamic[];
.weak .global .u32 a, b = 7;
.common .global .b32 shared_by_modules;
)");
  ASSERT_EQ(module.variables.size(), 10u);
  const Variable& table = module.variables[0].variable;
  EXPECT_EQ(table.initials.size(), 3u);
  EXPECT_EQ(table.initials[2].bits, static_cast<uint64_t>(-3));
  const Variable& pointers = module.variables[1].variable;
  EXPECT_EQ(pointers.dimensions[0], 4u);
  EXPECT_EQ(pointers.initials[1].symbol, "table");
  EXPECT_TRUE(pointers.initials[1].generic);
  EXPECT_EQ(pointers.initials[1].bits, 8u);
  EXPECT_EQ(pointers.initials[3].bits, static_cast<uint64_t>(-4));
  EXPECT_EQ(module.variables[2].variable.initials[1].mask, 0xff00u);
  const Variable& matrix = module.variables[3].variable;
  ASSERT_EQ(matrix.initials.size(), 6u);
  EXPECT_TRUE(matrix.initials[1].float_is_32);
  EXPECT_EQ(matrix.initials[2].bits, 0u);
  EXPECT_EQ(matrix.initials[3].kind, Variable::Initial::Kind::kFloat);
  EXPECT_EQ(module.variables[4].variable.vector_size, 4);
  EXPECT_EQ(module.variables[5].variable.dimensions[0], 3u);
  EXPECT_EQ(module.variables[5].variable.initials[1].bits, '\n');
  EXPECT_EQ(module.variables[6].linkage, Linkage::kExtern);
  EXPECT_EQ(module.variables[6].variable.dimensions[0], 0u);
  EXPECT_EQ(module.variables[8].variable.initials[0].bits, 7u);
  EXPECT_EQ(module.variables[9].linkage, Linkage::kCommon);
}

TEST(ParserTest, RegistersByCount) {
  Module keep;
  const Function function = Body(".reg .b32 %r<10>, %x;\n.reg .v4 .f32 %v;", &keep);
  ASSERT_EQ(function.variables.size(), 3u);
  EXPECT_EQ(function.variables[0].register_count, 10u);
  EXPECT_EQ(function.variables[1].name, "%x");
  EXPECT_EQ(function.variables[2].vector_size, 4);
}

TEST(ParserTest, SourceLinesAndWhatIsDropped) {
  const Module module = ParseOrDie(R"(
.file 1 "a \"b\".cu", 1234, 56
.visible .entry f() {
  .pragma "nounroll";
  .loc 1 10 3
  add.s32 %r1, %r1, 1;
  .loc 1 2 5, function_name $L__info_string0, inlined_at 1 11 7
  add.s32 %r1, %r1, 2;
}
.section .debug_str
{
$L__info_string0:
.b8 95, 90 // }
.b8 "}"
}
.file 2 "other.cu"
)");
  ASSERT_EQ(module.files.size(), 2u);
  EXPECT_EQ(module.files[0].path, "a \\\"b\\\".cu");
  const Function& function = module.functions[0];
  EXPECT_EQ(function.instructions[0].source.line, 10);
  EXPECT_EQ(function.instructions[1].source.line, 2);
  EXPECT_EQ(function.instructions[1].source.column, 5);
}

TEST(ParserTest, MistakesNameTheirPlace) {
  EXPECT_EQ(ErrorOf(""), "line 1, column 1: expected .version first, found the end of the text");
  EXPECT_EQ(ErrorOf(".version x"),
            "line 1, column 10: expected a PTX version such as 8.5, found 'x'");
  const std::string start = absl::StrCat(kHeader, ".entry f() {\n");
  EXPECT_EQ(ErrorOf(start + "  add.s32 %r1 %r2;"),
            "line 5, column 15: expected ',' or ';' in an instruction, found '%r2'");
  EXPECT_EQ(ErrorOf(start + "  add.s32 %r1,;"),
            "line 5, column 15: expected an operand, found ';'");
  EXPECT_EQ(ErrorOf(start + "  ld.b32 %r1, [%r2;"),
            "line 5, column 19: expected '+', ',' or ']' in an address, found ';'");
  EXPECT_EQ(ErrorOf(start + "  .reg .b33 %r<2>;"),
            "line 5, column 8: expected a state space, a type or .align in a declaration, found "
            "'.b33'");
  EXPECT_EQ(ErrorOf(start + "  ret;\n"),
            "line 6, column 1: expected a statement or '}', found the end of the text");
  EXPECT_EQ(ErrorOf(absl::StrCat(kHeader, "\x01")),
            "line 4, column 1: expected a directive such as .visible or .global, found '\\x01'");
}

TEST(ParserTest, DepthIsBounded) {
  const std::string start = absl::StrCat(kHeader, ".entry f() {\n");
  EXPECT_NE(ErrorOf(start + std::string(100000, '{')).find("scopes nested deeper"),
            std::string::npos);
  EXPECT_NE(ErrorOf(start + "op " + std::string(100000, '{')).find("nested too deeply"),
            std::string::npos);
  EXPECT_NE(ErrorOf(absl::StrCat(kHeader, ".global .b32 x[2][2] = ", std::string(100000, '{')))
                .find("too many braces"),
            std::string::npos);
  EXPECT_NE(ErrorOf(absl::StrCat(kHeader, ".global .b8 x[2][4000000000] = {{1},{2}};"))
                .find("too many numbers"),
            std::string::npos);
}

TEST(AstTest, Types) {
  EXPECT_EQ(ParseScalarType("bf16x2"), ScalarType::kBf16x2);
  EXPECT_EQ(TypeName(ScalarType::kUe8m0x2), "ue8m0x2");
  EXPECT_EQ(BitWidth(ScalarType::kB128), 128);
  EXPECT_EQ(ParseScalarType("v4"), std::nullopt);
  EXPECT_EQ(ParseScalarType(""), std::nullopt);
}

}  // namespace
}  // namespace warpyard::emulator::syntax
