// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Random programs with branches and loops, run by the emulator and evaluated here:
// wrong wherever two registers share a row that both are needed.

#include "cc/emulator/program/register_rows.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cc/emulator/execution/fault.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/testing/run_ptx.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

constexpr int kThreads = 64;

// A statement of a program over 32-bit variables, named by numbers.
struct Node {
  enum Kind { kAssign, kIf, kLoop } kind = kAssign;
  // kAssign: target = (a + b * 3) ^ c by two registers used nowhere else.
  // kIf: a & 1. kLoop: (a & 3) + 1 turns, counted in `target`.
  int target = 0, a = 0, b = 0, c = 0;
  std::vector<Node> body, other;
};

// Makes a random program in which no variable is read before it was given a value.
class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  std::vector<Node> Program() {
    // Variable 0 is the thread's number.
    return Block({0}, 0).first;
  }
  int variables() const { return variables_; }

 private:
  uint32_t Below(size_t bound) { return random_() % bound; }

  // Statements, and the variables that have a value behind them.
  std::pair<std::vector<Node>, std::vector<int>> Block(std::vector<int> known, int depth) {
    std::vector<Node> nodes;
    const uint32_t count = 3 + Below(6);
    for (uint32_t i = 0; i < count; ++i) {
      Node node;
      node.a = known[Below(known.size())];
      node.b = known[Below(known.size())];
      node.c = known[Below(known.size())];
      const uint32_t kind = depth < 3 ? Below(5) : 0;
      if (kind <= 2) {
        if (known.size() < 3 || Below(2) == 0) {
          node.target = variables_++;
          known.push_back(node.target);
        } else {
          node.target = known[1 + Below(known.size() - 1)];
        }
      } else if (kind == 3) {
        node.kind = Node::kIf;
        node.body = Block(known, depth + 1).first;
        if (Below(2) == 0) node.other = Block(known, depth + 1).first;
      } else {
        node.kind = Node::kLoop;
        node.target = variables_++;
        // What a turn gives a value to is known behind the loop, which is gone
        // through at least once; but the turn's own reads came first.
        auto [body, inner] = Block(known, depth + 1);
        node.body = std::move(body);
        known = std::move(inner);
      }
      nodes.push_back(std::move(node));
    }
    return {std::move(nodes), std::move(known)};
  }

  std::mt19937 random_;
  int variables_ = 1;
};

void Evaluate(const std::vector<Node>& nodes, std::vector<uint32_t>& values) {
  for (const Node& node : nodes) {
    switch (node.kind) {
      case Node::kAssign:
        values[node.target] = (values[node.a] + values[node.b] * 3) ^ values[node.c];
        break;
      case Node::kIf:
        Evaluate((values[node.a] & 1) != 0 ? node.body : node.other, values);
        break;
      case Node::kLoop:
        for (uint32_t turns = (values[node.a] & 3) + 1; turns > 0; --turns) {
          Evaluate(node.body, values);
        }
        break;
    }
  }
}

// Writes the program as PTX; temporaries and predicates are new for each use.
class Writer {
 public:
  std::string Write(const std::vector<Node>& nodes) {
    Block(nodes);
    return absl::StrCat(".reg .b32 %t<", temporaries_ + 1, ">;\n.reg .pred %p<", predicates_ + 1,
                        ">;\n", text_);
  }

 private:
  void Block(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      switch (node.kind) {
        case Node::kAssign: {
          const int x = temporaries_++, y = temporaries_++;
          absl::StrAppend(&text_, "mul.lo.u32 %t", x, ", %v", node.b, ", 3;\nadd.u32 %t", y, ", %v",
                          node.a, ", %t", x, ";\nxor.b32 %v", node.target, ", %t", y, ", %v",
                          node.c, ";\n");
          break;
        }
        case Node::kIf: {
          const int label = labels_++;
          const int x = temporaries_++, p = predicates_++;
          absl::StrAppend(&text_, "and.b32 %t", x, ", %v", node.a, ", 1;\nsetp.eq.u32 %p", p,
                          ", %t", x, ", 0;\n@%p", p, " bra ELSE", label, ";\n");
          Block(node.body);
          absl::StrAppend(&text_, "bra END", label, ";\nELSE", label, ":\n");
          Block(node.other);
          absl::StrAppend(&text_, "END", label, ":\n");
          break;
        }
        case Node::kLoop: {
          const int label = labels_++;
          const int p = predicates_++;
          absl::StrAppend(&text_, "and.b32 %v", node.target, ", %v", node.a, ", 3;\nLOOP", label,
                          ":\n");
          Block(node.body);
          absl::StrAppend(&text_, "setp.ne.u32 %p", p, ", %v", node.target, ", 0;\nsub.u32 %v",
                          node.target, ", %v", node.target, ", 1;\n@%p", p, " bra LOOP", label,
                          ";\n");
          break;
        }
      }
    }
  }

  std::string text_;
  int temporaries_ = 0, predicates_ = 0, labels_ = 0;
};

TEST(RegisterRowsTest, RandomProgramsComputeWhatTheySay) {
  int64_t shared_rows = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Generator generator(seed);
    const std::vector<Node> program = generator.Program();
    // The sum of all variables that the outermost block gives a value to.
    std::vector<int> outer = {0};
    for (const Node& node : program) {
      if (node.kind == Node::kAssign) outer.push_back(node.target);
    }
    std::string body = absl::StrCat(".reg .b32 %v<", generator.variables(),
                                    ">, %sum, %at; .reg .b64 %out, %offset;\n"
                                    "mov.u32 %v0, %tid.x;\n",
                                    Writer().Write(program), "mov.u32 %sum, 0;\n");
    for (int variable : outer) absl::StrAppend(&body, "add.u32 %sum, %sum, %v", variable, ";\n");
    absl::StrAppend(&body,
                    "ld.param.u64 %out, [out];\nmov.u32 %at, %tid.x;\n"
                    "mul.wide.u32 %offset, %at, 4;\nadd.u64 %out, %out, %offset;\n"
                    "st.global.u32 [%out], %sum;\nret;\n");
    TestModule module(absl::StrCat(".version 8.5\n.target sm_90\n.address_size 64\n",
                                   ".visible .entry k(.param .u64 out)\n{\n", body, "}\n"));
    uint32_t* const out = module.Allocate<uint32_t>(kThreads);
    const std::optional<Fault> fault = module.Launch("k", {}, {kThreads}, out);
    ASSERT_FALSE(fault.has_value()) << fault->ToString();
    for (uint32_t thread = 0; thread < kThreads; ++thread) {
      std::vector<uint32_t> values(generator.variables());
      values[0] = thread;
      Evaluate(program, values);
      uint32_t sum = 0;
      for (int variable : outer) sum += values[variable];
      ASSERT_EQ(out[thread], sum) << "thread " << thread << "\n" << body;
    }
    const Function& kernel = module.program().functions[0];
    shared_rows += static_cast<int64_t>(kernel.code.size()) * 128 / 3 - kernel.frame_bytes;
  }
  EXPECT_GT(shared_rows, 0);
}

}  // namespace
}  // namespace warpyard::emulator
