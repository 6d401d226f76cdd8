// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What XLA printed is right; what is changed in it is found.

#include "cc/hlo/verifier.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cc/base/file.h"
#include "cc/hlo/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::hlo {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> Programs() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator("tests/programs/hlo")) {
    if (entry.path().extension() == ".hlo") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::unique_ptr<Module> Load(const std::string& file) {
  auto text = ReadFile(file, int64_t{1} << 30);
  EXPECT_TRUE(text.ok()) << text.status();
  auto module = ParseModule(*text);
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

TEST(VerifierTest, EveryProgramIsRight) {
  ASSERT_GE(Programs().size(), 80);
  for (const std::string& file : Programs()) {
    EXPECT_EQ(VerifyModule(*Load(file)), absl::OkStatus()) << file;
  }
}

// Makes each dimension of each array larger by one, alone, and changes each
// element type: the module must no longer hold.
TEST(VerifierTest, EveryChangeOfAShapeIsFound) {
  int changes = 0;
  std::map<std::string, int> missed;
  for (const std::string& file : Programs()) {
    const std::unique_ptr<Module> module = Load(file);
    if (module->InstructionCount() > 150) continue;  // the square of it would take long
    for (const auto& computation : module->computations()) {
      for (const auto& instruction : computation->instructions()) {
        const Shape before = instruction->shape();
        if (!before.IsArray()) continue;
        for (int64_t i = 0; i <= before.rank(); ++i) {
          std::vector<int64_t> sizes = before.dimensions();
          ElementType type = before.element_type();
          if (i < before.rank()) {
            ++sizes[i];
          } else {
            type = type == ElementType::kF16 ? ElementType::kS16 : ElementType::kF16;
          }
          instruction->set_shape(Shape::Array(type, sizes));
          ++changes;
          if (VerifyModule(*module).ok()) {
            ++missed[absl::StrCat(OpcodeName(instruction->opcode()),
                                  i < before.rank() ? "" : " type")];
          }
          instruction->set_shape(before);
        }
      }
    }
  }
  EXPECT_GT(changes, 5000);
  // Nobody but the call itself knows what a custom call gives. What is converted
  // next may be of any type.
  for (const auto& [what, count] : missed) {
    EXPECT_THAT(what, ::testing::AnyOf("custom-call", "custom-call type", "convert type",
                                       "iota type", "parameter type"))
        << count << " times";
  }
}

std::string Error(std::string_view lines) {
  auto module = ParseModule(
      absl::StrCat("HloModule m\n\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n"
                   "  ROOT s = f32[] add(x, y)\n}\n\nENTRY e {\n  p = f32[4,8] parameter(0)\n"
                   "  z = f32[] constant(0)\n  i = s32[] constant(1)\n",
                   lines, "\n}\n"));
  EXPECT_TRUE(module.ok()) << module.status();
  return std::string(VerifyModule(**module).message());
}

TEST(VerifierTest, SaysWhatIsWrong) {
  EXPECT_EQ(Error("  ROOT r = f32[8,4] add(p, p)"),
            "computation e: add r: its shape is f32[8,4], its operands give f32[4,8]");
  EXPECT_THAT(Error("  ROOT r = f32[4,8] add(p)"), HasSubstr("it has 1 operands, expected 2"));
  EXPECT_THAT(Error("  ROOT r = f32[4] reduce(p, z), dimensions={2}, to_apply=add"),
              HasSubstr("dimensions has 2, an array of 2 dimensions has none such"));
  EXPECT_THAT(Error("  ROOT r = f32[4] reduce(p, i), dimensions={1}, to_apply=add"),
              HasSubstr("parameter 0 of to_apply add is f32[], expected s32[]"));
  EXPECT_THAT(Error("  ROOT r = f32[4,4] dot(p, p), lhs_contracting_dims={1}, "
                    "rhs_contracting_dims={0}"),
              HasSubstr("lhs_contracting_dims 1 of f32[4,8] does not fit"));
  EXPECT_THAT(Error("  ROOT r = f32[4,8] broadcast(p), dimensions={1,0}"),
              HasSubstr("dimension 0 of its operand is 4, dimension 1 of the result 8"));
  EXPECT_THAT(Error("  ROOT r = f32[9] slice(p), slice={[0:9]}"), HasSubstr("2 dimensions"));
  EXPECT_THAT(Error("  ROOT r = f32[2,9] slice(p), slice={[0:2], [0:9]}"),
              HasSubstr("it takes [0:9:1] of 8"));
  EXPECT_THAT(Error("  ROOT r = f32[4] get-tuple-element(p), index=0"),
              HasSubstr("it takes element 0 of f32[4,8]"));
  EXPECT_THAT(Error("  ROOT r = f32[4,8] all-gather(p), replica_groups={{0,1},{2}}, "
                    "dimensions={0}"),
              HasSubstr("its groups differ in size"));
  EXPECT_THAT(Error("  ROOT r = f32[4,8] collective-permute(p), "
                    "source_target_pairs={{0,1},{2,1}}"),
              HasSubstr("the pair {2,1}"));
  EXPECT_THAT(Error("  s = (f32[4,8], f32[4,8], u32[]) copy-start(p)\n"
                    "  ROOT r = f32[4,8] copy(p)"),
              HasSubstr("it is ended 0 times, expected once"));
  EXPECT_THAT(Error("  ROOT r = f32[4,8] and(p, p)"),
              HasSubstr("its elements are f32, expected integers or pred"));
}

TEST(VerifierTest, EveryOpcodeHasARule) {
  for (int i = 0; i < OpcodeCount(); ++i) {
    const Opcode opcode = static_cast<Opcode>(i);
    Instruction operand(Opcode::kParameter, "p", Shape::Array(ElementType::kF32, {4}));
    Instruction instruction(opcode, "r", Shape::Array(ElementType::kF32, {4}));
    for (int n = 0; n < std::max(OpcodeOperandCount(opcode), 0); ++n) {
      instruction.AddOperand(&operand);
    }
    // Right or wrong, but never without a rule, and never a crash.
    EXPECT_NE(VerifyInstruction(instruction).code(), absl::StatusCode::kInternal)
        << OpcodeName(opcode);
  }
}

TEST(VerifierTest, SizesThatDoNotFitAreErrors) {
  EXPECT_THAT(Error("  b = f32[9223372036854775807,9223372036854775807] parameter(1)\n"
                    "  ROOT r = f32[4] reshape(b)"),
              HasSubstr("the numbers of elements differ"));
  EXPECT_THAT(Error("  b = f32[9223372036854775807] parameter(1)\n"
                    "  ROOT r = f32[4] concatenate(b, b), dimensions={0}"),
              HasSubstr("operand 1 is"));
  EXPECT_THAT(Error("  b = f32[9223372036854775807] parameter(1)\n"
                    "  ROOT r = f32[4] pad(b, z), padding=1_1_1"),
              HasSubstr("cannot be padded"));
}

TEST(VerifierTest, AliasesFit) {
  const auto with = [](std::string_view alias) {
    return absl::StrCat("HloModule m, input_output_alias=", alias,
                        "\nENTRY e { p = f32[4] parameter(0)\n q = f32[8] parameter(1)\n"
                        " ROOT t = (f32[4], f32[8]) tuple(p, q) }");
  };
  EXPECT_TRUE(VerifyModule(**ParseModule(with("{ {0}: (0, {}, may-alias), {1}: (1, {}) }"))).ok());
  EXPECT_THAT(
      std::string(VerifyModule(**ParseModule(with("{ {0}: (1, {}, must-alias) }"))).message()),
      HasSubstr("output f32[4] cannot lie in parameter 1, f32[8]"));
  EXPECT_FALSE(VerifyModule(**ParseModule(with("{ {2}: (0, {}) }"))).ok());
  EXPECT_FALSE(VerifyModule(**ParseModule(with("{ {0}: (5, {}) }"))).ok());
}

}  // namespace
}  // namespace warpyard::hlo
