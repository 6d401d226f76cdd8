// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/program/decoder.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/special_rows.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"
#include "cc/emulator/syntax/parser.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;

Next Nothing(Warp&, const Instruction&, uint32_t) { return Next::kAdvance; }

// d, a, b, ... of the type that the last modifier names.
absl::Status DecodeMove(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  const ScalarType type = *syntax::ParseScalarType(syntax.modifiers.back());
  WARPYARD_ASSIGN_OR_RETURN(std::vector<RowRef> destinations,
                            context.Destinations(syntax.operands[0], type));
  std::vector<RowRef> all;
  for (size_t i = 1; i < syntax.operands.size(); ++i) {
    WARPYARD_ASSIGN_OR_RETURN(std::vector<RowRef> rows, context.Sources(syntax.operands[i], type));
    all.insert(all.end(), rows.begin(), rows.end());
  }
  instruction->handler = Nothing;
  context.SetRows(instruction, destinations, all);
  return absl::OkStatus();
}

// setp.type p, a, b; p may be any predicate, !q as fourth.
absl::Status DecodeSetp(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  WARPYARD_ASSIGN_OR_RETURN(RowRef p, context.PredicateDestination(syntax.operands[0]));
  bool negated = false;
  WARPYARD_ASSIGN_OR_RETURN(RowRef q, context.PredicateSource(syntax.operands[1], &negated));
  instruction->handler = Nothing;
  instruction->flags = negated;
  context.SetRows(instruction, {p}, {q});
  return absl::OkStatus();
}

// ld.space.type d, [a]: immediate is the displacement, flags bit 0 is_parameter,
// bit 1 wide.
absl::Status DecodeLoad(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  syntax::StateSpace space = syntax::StateSpace::kNone;
  if (syntax.Has("param")) space = syntax::StateSpace::kParam;
  if (syntax.Has("shared")) space = syntax::StateSpace::kShared;
  if (syntax.Has("global")) space = syntax::StateSpace::kGlobal;
  if (syntax.Has("local")) space = syntax::StateSpace::kLocal;
  const ScalarType type = *syntax::ParseScalarType(syntax.modifiers.back());
  const bool store = syntax.opcode == "st";
  WARPYARD_ASSIGN_OR_RETURN(Address address,
                            context.MemoryOperand(syntax.operands[store ? 0 : 1], space));
  RowRef d;
  if (store) {
    WARPYARD_ASSIGN_OR_RETURN(d, context.Source(syntax.operands[1], type));
  } else {
    WARPYARD_ASSIGN_OR_RETURN(d, context.Destination(syntax.operands[0], type));
  }
  instruction->handler = Nothing;
  instruction->immediate = static_cast<uint64_t>(address.displacement);
  instruction->flags = (address.is_parameter ? 1u : 0u) | (address.wide ? 2u : 0u);
  context.SetRows(instruction, {d}, {address.base});
  return absl::OkStatus();
}

absl::Status DecodeBranch(DecodeContext& context, const syntax::Instruction& syntax,
                          Instruction* instruction) {
  instruction->handler = Nothing;
  return context.BranchTarget(syntax.operands[0], instruction);
}

absl::Status DecodePlain(DecodeContext&, const syntax::Instruction&, Instruction* instruction) {
  instruction->handler = Nothing;
  return absl::OkStatus();
}

absl::Status DecodeTexture(DecodeContext&, const syntax::Instruction&, Instruction*) {
  return absl::UnimplementedError("textures are not supported");
}

constexpr Operation kOperations[] = {
    {"mov", DecodeMove},   {"add", DecodeMove},   {"setp", DecodeSetp},   {"ld", DecodeLoad},
    {"st", DecodeLoad},    {"bra", DecodeBranch}, {"ret", DecodePlain},   {"trap", DecodePlain},
    {"call", DecodePlain}, {"bar", DecodePlain},  {"tex", DecodeTexture},
};

absl::StatusOr<std::unique_ptr<Program>> DecodeText(std::string_view body) {
  const absl::Span<const Operation> family(kOperations);
  const OperationTable table(absl::MakeConstSpan(&family, 1));
  absl::StatusOr<syntax::Module> module =
      syntax::Parse(absl::StrCat(".version 8.5\n.target sm_90\n.address_size 64\n", body));
  if (!module.ok()) return module.status();
  return Decode(*std::move(module), table);
}

std::unique_ptr<Program> DecodeOrDie(std::string_view text) {
  auto program = DecodeText(text);
  CHECK_OK(program.status());
  return *std::move(program);
}

std::unique_ptr<Program> DecodeBody(std::string_view body) {
  return DecodeOrDie(
      absl::StrCat(".visible .entry f(.param .u64 a, .param .u32 b)\n{\n", body, "\n}\n"));
}

std::string ErrorOf(std::string_view body) {
  auto program = DecodeText(absl::StrCat(".entry f()\n{\n", body, "\n}\n"));
  EXPECT_EQ(program.status().code(), absl::StatusCode::kInvalidArgument) << body;
  return std::string(program.status().message());
}

uint32_t Constant32(const Program& program, RowRef row) {
  EXPECT_EQ(row.base, RowRef::kConstants);
  const auto* values = reinterpret_cast<const uint32_t*>(program.constants.data()) + row.offset / 4;
  for (int lane = 1; lane < kWarpSize; ++lane) EXPECT_EQ(values[lane], values[0]);
  return values[0];
}

uint64_t Constant64(const Program& program, RowRef row) {
  EXPECT_EQ(row.base, RowRef::kConstants);
  const uint64_t* values = program.constants.data() + row.offset / 8;
  for (int lane = 1; lane < kWarpSize; ++lane) EXPECT_EQ(values[lane], values[0]);
  return values[0];
}

TEST(DecoderTest, ImmediatesTakeTheTypeOfTheOperation) {
  const auto program = DecodeBody(R"(
.reg .b16 %h; .reg .b32 %r; .reg .b64 %d; .reg .f32 %f; .reg .f64 %fd;
mov.u32 %r, -1;
mov.u16 %h, -1;
mov.u64 %d, -1;
mov.f32 %f, 1.5;
mov.f32 %f, 0f3F800000;
mov.f64 %fd, 1.5;
mov.f64 %fd, 0f3F800000;
mov.b32 %r, 0f40000000;
mov.u32 %r, 4294967296+7;
)");
  const Function& f = program->functions[0];
  ASSERT_EQ(f.code.size(), 10u);  // and ret
  EXPECT_EQ(Constant32(*program, f.code[0].row(1)), 0xffffffffu);
  EXPECT_EQ(Constant32(*program, f.code[1].row(1)), 0xffffu);
  EXPECT_EQ(Constant64(*program, f.code[2].row(1)), ~uint64_t{0});
  EXPECT_EQ(Constant32(*program, f.code[3].row(1)), std::bit_cast<uint32_t>(1.5f));
  EXPECT_EQ(Constant32(*program, f.code[4].row(1)), std::bit_cast<uint32_t>(1.0f));
  EXPECT_EQ(Constant64(*program, f.code[5].row(1)), std::bit_cast<uint64_t>(1.5));
  EXPECT_EQ(Constant64(*program, f.code[6].row(1)), std::bit_cast<uint64_t>(1.0));
  EXPECT_EQ(Constant32(*program, f.code[7].row(1)), 0x40000000u);
  EXPECT_EQ(Constant32(*program, f.code[8].row(1)), 7u);
  EXPECT_EQ(f.code[0].row(1).offset % 64, 0u);
}

TEST(DecoderTest, RegistersGetRowsThatDoNotOverlap) {
  const auto program = DecodeBody(R"(
.reg .pred %p<3>; .reg .b16 %h<2>; .reg .b32 %r<100000>; .reg .b64 %d<2>; .reg .b128 %q;
mov.u32 %r99999, 1;
mov.u64 %d0, 1;
mov.u16 %h1, 1;
setp.eq %p0, 1;
setp.eq %p1, !%p0;
mov.b128 %q, %q;
@!%p1 add.u32 %r3, %r99999, %r99999;
mov.u64 %d1, %d0;
mov.u16 %h0, %h1;
setp.eq %p2, %p1;
mov.u32 _, %r3;
)");
  const Function& f = program->functions[0];
  ASSERT_EQ(f.code.size(), 12u);
  EXPECT_LT(f.frame_bytes, 4000u);
  std::set<uint32_t> used;
  const auto claim = [&](RowRef row, uint32_t bytes) {
    EXPECT_EQ(row.base, RowRef::kFrame);
    for (uint32_t i = 0; i < bytes; ++i) EXPECT_TRUE(used.insert(row.offset + i).second);
    EXPECT_LE(row.offset + bytes, f.frame_bytes);
  };
  claim(f.code[0].row(0), 128);
  claim(f.code[1].row(0), 256);
  claim(f.code[2].row(0), 128);
  claim(f.code[3].row(0), 4);
  claim(f.code[4].row(0), 4);
  claim(f.code[5].row(0), 512);
  EXPECT_EQ(f.code[3].row(1).base, RowRef::kSpecial);
  EXPECT_EQ(f.code[3].row(1).offset, offsetof(SpecialRows, all_true));
  EXPECT_EQ(f.code[4].flags, 1u);  // !%p0
  EXPECT_EQ(f.code[6].guard, f.code[4].row(0).offset);
  EXPECT_TRUE(f.code[6].guard_negated);
  EXPECT_EQ(f.code[6].row(1).offset, f.code[0].row(0).offset);
  EXPECT_EQ(f.code[10].row(0).base, RowRef::kScratch);
}

TEST(DecoderTest, VectorsAndComponents) {
  const auto program = DecodeBody(R"(
.reg .v4 .f32 %v; .reg .f32 %f<8>;
mov.f32 %v, {%f0, %f1, 1.0, %f3};
mov.f32 %f4, %v.z;
mov.f32 {%f5, _}, {%f4, %tid.x};
)");
  const Function& f = program->functions[0];
  EXPECT_EQ(f.code[0].rows_written, 4);
  EXPECT_EQ(f.code[0].row_count, 8);
  EXPECT_NE(f.code[0].more_rows, nullptr);
  EXPECT_EQ(f.code[1].row(1).offset, f.code[0].row(2).offset);
  EXPECT_EQ(f.code[2].row(1).base, RowRef::kScratch);
  EXPECT_EQ(f.code[2].row(3).offset, offsetof(SpecialRows, tid));
}

TEST(DecoderTest, RowsAreSharedWhereRegistersDoNotMeet) {
  std::string body = ".reg .b32 %r<1000>;\nmov.u32 %r0, 1;\n";
  for (int i = 1; i < 1000; ++i) {
    absl::StrAppend(&body, "add.u32 %r", i, ", %r", i - 1, ", %r", i - 1, ";\n");
  }
  EXPECT_LE(DecodeBody(body)->functions[0].frame_bytes, 4 * 128u);
}

TEST(DecoderTest, ALoopKeepsWhatItCarries) {
  const auto program = DecodeBody(R"(
.reg .b32 %r<9>; .reg .pred %p;
mov.u32 %r1, 5;
TOP:
mov.u32 %r2, %r1;
add.u32 %r3, %r2, 1;
setp.eq %p, 1;
@%p bra SKIP;
mov.u32 %r4, %r3;
SKIP:
mov.u32 %r5, %r4;
@%p bra TOP;
mov.u32 %r6, 1;
add.u32 %r7, %r6, %r6;
)");
  const Function& f = program->functions[0];
  const auto row = [&](int at) { return f.code[at].row(0).offset; };
  // %r1 is read in every turn, %r4 may keep its value over a turn.
  EXPECT_NE(row(0), row(1));
  EXPECT_NE(row(0), row(2));
  EXPECT_NE(row(0), row(6));
  EXPECT_NE(row(5), row(1));
  EXPECT_NE(row(5), row(2));
  EXPECT_NE(row(5), row(6));
  EXPECT_EQ(f.code[7].immediate, 1u);
  EXPECT_EQ(f.code[4].immediate, 6u);
}

TEST(DecoderTest, ScopesHaveTheirOwnNamesAndLabels) {
  const auto program = DecodeBody(R"(
.reg .b32 %r1; .reg .pred %p;
{ .reg .b64 %r1; WAIT: mov.u64 %r1, 1; @%p bra WAIT; }
{ WAIT: mov.u32 %r1, 2; bra WAIT; }
)");
  const Function& f = program->functions[0];
  EXPECT_EQ(f.code[1].immediate, 0u);
  EXPECT_EQ(f.code[3].immediate, 2u);
}

TEST(DecoderTest, Parameters) {
  const auto program = DecodeOrDie(R"(
.func (.param .b32 r) g(.param .b64 x, .param .align 16 .b8 y[24]);
.visible .entry f(.param .u8 a, .param .u64 b, .param .align 16 .b8 c[20], .param .f32 d)
.reqntid 32, 4
.minnctapersm 3
.maxnreg 64
{
  .reg .b32 %r; .reg .b64 %d;
  ld.param.u64 %d, [b];
  ld.param.u32 %r, [c+4];
  mov.u64 %d, c;
  { .param .b64 p0; .param .b32 ret0; st.param.b64 [p0+0], %d; call (ret0), g, (p0); }
  { .param .b64 p0; st.param.b64 [p0], %d; }
}
.func (.param .b32 r) g(.param .b64 x, .param .align 16 .b8 y[24]) { .reg .b32 %r; ld.param.u32 %r, [y+8]; ret; }
)");
  ASSERT_EQ(program->functions.size(), 2u);
  const Function& g = *program->function_by_name["g"];
  EXPECT_FALSE(g.is_declaration);
  EXPECT_EQ(g.results[0].offset, 0u);
  EXPECT_EQ(g.parameters[0].offset, 8u);
  EXPECT_EQ(g.parameters[1].offset, 16u);
  EXPECT_EQ(g.param_bytes, 40u);
  EXPECT_EQ(g.code[0].immediate, 24u);
  const Function& f = *program->function_by_name["f"];
  EXPECT_EQ(f.parameters[1].offset, 8u);
  EXPECT_EQ(f.parameters[2].offset, 16u);
  EXPECT_EQ(f.parameters[3].offset, 36u);
  EXPECT_EQ(f.parameter_bytes, 40u);
  EXPECT_EQ(f.required_block[1], 4u);
  EXPECT_EQ(f.required_block[2], 1u);
  EXPECT_EQ(f.max_block_threads, 128u);
  EXPECT_EQ(f.max_registers, 64u);
  EXPECT_EQ(f.min_blocks_per_multiprocessor, 3u);
  EXPECT_EQ(f.code[0].flags & 1, 1u);
  EXPECT_EQ(f.code[0].immediate, 8u);
  EXPECT_EQ(f.code[1].immediate, 20u);
  ASSERT_EQ(f.frame_addresses.size(), 1u);
  EXPECT_EQ(f.frame_addresses[0].area, FrameAddress::Area::kKernelParam);
  EXPECT_EQ(f.frame_addresses[0].offset, 16u);
  EXPECT_EQ(f.param_bytes, 12u);
  EXPECT_EQ(f.code[3].immediate, f.code[5].immediate);
}

TEST(DecoderTest, VariablesAndTheirAddresses) {
  const auto program = DecodeOrDie(R"(
.global .align 8 .u64 table[3] = {1, generic(text)+2, g};
.const .b8 text[4] = {104, 105};
.global .b8 byte[2] = {0xFF(text), 0xFF00(text)};
.global .f32 numbers[2] = {1.5, 0f40000000};
.func g() { ret; }
.shared .align 4 .b8 first[10];
.shared .align 8 .b8 second[16];
.extern .shared .align 128 .b8 dynamic[];
.func h() { .reg .b32 %r; ld.shared.u32 %r, [second]; ret; }
.entry one() {
  .reg .b64 %d<5>; .reg .b32 %r<5>;
  mov.u64 %d0, table+8;
  mov.u64 %d1, g;
  mov.u32 %r0, first+4;
  ld.shared.u32 %r1, [first+4];
  ld.shared.u32 %r2, [dynamic+4];
  ld.global.u32 %r3, [table];
  .local .align 16 .b8 depot[40];
  mov.u64 %d2, depot;
  call h;
  bar.sync 3;
}
.entry two() { .reg .b32 %r; .shared .b32 first; ld.shared.u32 %r, [second]; ld.shared.u32 %r, [first]; }
)");
  const ModuleSymbol& table = *program->symbol_by_name["table"];
  EXPECT_EQ(table.size, 24u);
  ASSERT_EQ(table.relocations.size(), 2u);
  EXPECT_EQ(table.relocations[0].offset, 8u);
  EXPECT_EQ(table.relocations[0].addend, 2);
  EXPECT_TRUE(table.relocations[0].generic);
  EXPECT_EQ(program->symbol_by_name["byte"]->relocations[1].mask, 0xff00u);
  const ModuleSymbol& numbers = *program->symbol_by_name["numbers"];
  EXPECT_EQ(numbers.initial, std::string("\0\0\xc0\x3f\0\0\0\x40", 8));
  const Function& one = *program->function_by_name["one"];
  ASSERT_EQ(program->constant_addresses.size(), 3u);
  EXPECT_EQ(program->constant_addresses[0].symbol, "table");
  EXPECT_EQ(program->constant_addresses[0].addend, 8);
  EXPECT_EQ(program->constant_addresses[1].symbol, "g");
  EXPECT_EQ(program->constant_addresses[2].addend, 0);
  EXPECT_EQ(one.barrier_count, 4u);
  EXPECT_EQ(one.local_bytes, 40u);
  // `first` is used by `one` alone, `second` by both, which calls `h`.
  EXPECT_EQ(program->symbol_by_name["first"]->offset, 0u);
  EXPECT_EQ(program->symbol_by_name["second"]->offset, 16u);
  EXPECT_EQ(one.static_shared_bytes, 32u);
  EXPECT_EQ(program->function_by_name["two"]->static_shared_bytes, 36u);
  const Function& h = *program->function_by_name["h"];
  ASSERT_EQ(h.frame_addresses.size(), 1u);
  EXPECT_EQ(h.frame_addresses[0].offset, 16u);
  EXPECT_EQ(h.frame_addresses[0].bits, 32);
  ASSERT_EQ(one.frame_addresses.size(), 4u);
  EXPECT_EQ(one.frame_addresses[0].offset, 4u);  // mov.u32 %r0, first+4
  EXPECT_EQ(one.frame_addresses[1].offset, 0u);  // [first+4]: the displacement is apart
  EXPECT_EQ(one.code[3].immediate, 4u);
  EXPECT_EQ(one.frame_addresses[2].area, FrameAddress::Area::kDynamicShared);
  EXPECT_EQ(one.frame_addresses[2].alignment, 128u);
  EXPECT_EQ(one.frame_addresses[3].area, FrameAddress::Area::kLocal);
}

TEST(DecoderTest, ElementsOfArrays) {
  const auto program = DecodeBody(R"(
.shared .b16 s[10]; .reg .b32 %r;
ld.shared.b32 %r, s[3];
mov.u32 %r, s[3];
)");
  const Function& f = program->functions[0];
  EXPECT_EQ(f.code[0].immediate, 6u);
  ASSERT_EQ(f.frame_addresses.size(), 2u);
  EXPECT_EQ(f.frame_addresses[1].offset, 6u);
}

TEST(DecoderTest, GenericAccessByNameAddsTheWindow) {
  const auto program = DecodeBody(R"(
.shared .b32 s; .local .b32 l; .reg .b32 %r;
ld.b32 %r, [s+4];
ld.b32 %r, [l];
)");
  const Function& f = program->functions[0];
  EXPECT_EQ(f.code[0].immediate, kSharedWindow + 4);
  EXPECT_EQ(f.code[0].flags, 2u);
  EXPECT_EQ(f.frame_addresses[0].bits, 64);
  EXPECT_EQ(f.code[1].immediate, kLocalWindow);
}

TEST(DecoderTest, ParametersInRegistersAreHandedOver) {
  const auto program = DecodeOrDie(R"(
.func (.reg .b32 r) g(.reg .b32 a, .reg .b64 b)
{ .reg .pred %p; @%p ret; add.u32 r, a, a; }
)");
  const Function& g = program->functions[0];
  ASSERT_EQ(g.code.size(), 7u);  // 2 loads, store, ret, add, store, ret
  EXPECT_EQ(g.code[0].immediate, 4u);
  EXPECT_EQ(g.code[1].immediate, 8u);
  EXPECT_EQ(g.code[2].flags & 1, 1u);
  EXPECT_EQ(g.code[4].row(1).offset, g.code[0].row(0).offset);
  EXPECT_EQ(g.code[5].row(0).offset, g.code[4].row(0).offset);
}

TEST(DecoderTest, ReservedSharedMemoryIsAVariable) {
  const auto program = DecodeBody(R"(
.shared .b32 s; .reg .b32 %r;
mov.u32 %r, %reserved_smem_offset_1;
mov.u32 %r, s;
mov.u32 %r, %reserved_smem_offset_cap;
)");
  const Function& f = program->functions[0];
  EXPECT_EQ(f.static_shared_bytes, 528u);
  EXPECT_EQ(Constant32(*program, f.code[2].row(1)), 512u);
}

TEST(DecoderTest, WhatIsNotExecutedIsNamedAndTraps) {
  const auto program = DecodeOrDie(R"(
.func g() { frobnicate.x.y; ret; }
.entry f() { tex.2d.v4; call g; }
)");
  const Function& f = *program->function_by_name["f"];
  ASSERT_EQ(f.unsupported.size(), 2u);
  EXPECT_EQ(f.unsupported[0], "line 6: tex.2d.v4: textures are not supported");
  EXPECT_EQ(f.unsupported[1], "line 5: frobnicate.x.y: the operation is not supported");
  EXPECT_NE(f.code[0].handler, nullptr);
}

TEST(DecoderTest, MistakesNameTheirPlace) {
  EXPECT_EQ(ErrorOf("mov.u32 %r1, 1;"), "line 6, column 1: mov.u32: %r1 is not declared");
  EXPECT_EQ(ErrorOf(".reg .b32 %r<2>; mov.u32 %r2, 1;"),
            "line 6, column 18: mov.u32: %r2 is not declared");
  EXPECT_EQ(ErrorOf(".reg .b32 %r<2>; mov.u32 %r02, 1;"),
            "line 6, column 18: mov.u32: %r02 is not declared");
  EXPECT_EQ(ErrorOf(".reg .b32 %r; mov.u64 %r, 1;"),
            "line 6, column 15: mov.u64: %r is a register of .b32, expected one for .u64");
  EXPECT_EQ(ErrorOf(".reg .b16 %r; mov.u32 %r, 1;"),
            "line 6, column 15: mov.u32: %r is a register of .b16, expected one for .u32");
  EXPECT_EQ(ErrorOf("bra NOWHERE;"),
            "line 6, column 1: bra: the label NOWHERE is not in this function");
  EXPECT_EQ(ErrorOf(".reg .b32 %r; @%r ret;"),
            "line 6, column 15: ret: %r is no predicate register");
  EXPECT_EQ(ErrorOf(".reg .b32 %r, %r;"), "line 6, column 15: %r is declared twice in one scope");
  EXPECT_EQ(ErrorOf(".shared .b32 x; .reg .b32 %r; ld.global.u32 %r, [x];"),
            "line 6, column 31: ld.global.u32: x lies in .shared memory, accessed as .global");
  EXPECT_EQ(ErrorOf("L: L: ret;"), "line 6, column 4: L is declared twice in one scope");
  EXPECT_NE(ErrorOf(".local .b8 x[2000000000];").find("needs more than"), std::string::npos);
  EXPECT_EQ(DecodeText(".global .b32 x; .global .b32 x;").status().message(),
            "line 4, column 30: x is defined twice");
}

}  // namespace
}  // namespace warpyard::emulator
