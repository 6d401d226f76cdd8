// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/testing/single_operation.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/operations/arithmetic.h"
#include "cc/emulator/operations/bit.h"
#include "cc/emulator/operations/compare.h"
#include "cc/emulator/operations/convert.h"
#include "cc/emulator/operations/dot_product.h"
#include "cc/emulator/operations/extended.h"
#include "cc/emulator/operations/move.h"
#include "cc/emulator/operations/transcendental.h"
#include "cc/emulator/operations/video.h"
#include "cc/emulator/syntax/ast.h"
#include "cc/emulator/syntax/parser.h"

namespace warpyard::emulator {

namespace {

// What the decoder itself needs: the end of a function, and what stands for an
// operation that is not executed.
absl::Status DecodeNothing(DecodeContext&, const syntax::Instruction&, Instruction* instruction) {
  instruction->handler = [](Warp&, const Instruction&, uint32_t) { return Next::kAdvance; };
  return absl::OkStatus();
}
constexpr Operation kStops[] = {
    {"exit", &DecodeNothing}, {"ret", &DecodeNothing}, {"trap", &DecodeNothing}};

}  // namespace

const OperationTable& ArithmeticTable() {
  static const OperationTable& table = *[] {
    const absl::Span<const Operation> families[] = {
        ArithmeticOperations(),     BitOperations(),      CompareOperations(), ConvertOperations(),
        DotProductOperations(),     ExtendedOperations(), MoveOperations(),    kStops,
        TranscendentalOperations(), VideoOperations(),
    };
    return new OperationTable(families);
  }();
  return table;
}

absl::StatusOr<std::unique_ptr<SingleOperation>> SingleOperation::Decode(
    std::string_view statements, std::string_view target) {
  std::string text = absl::StrCat(
      ".version 9.5\n.target ", target,
      "\n.address_size 64\n.visible .entry k() {\n"
      ".reg .pred %p<8>;\n.reg .b8 %c<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<8>;\n.reg .f32 %f<8>;\n"
      ".reg .b64 %d<8>;\n.reg .f64 %g<8>;\n.reg .b128 %q<8>;\n",
      statements, ";\n}\n");
  WARPYARD_ASSIGN_OR_RETURN(syntax::Module module, syntax::Parse(std::move(text)));
  auto operation = std::make_unique<SingleOperation>();
  WARPYARD_ASSIGN_OR_RETURN(operation->program_,
                            emulator::Decode(std::move(module), ArithmeticTable()));
  operation->function_ = &operation->program_->functions.front();
  const Function& function = *operation->function_;
  if (!function.unsupported.empty()) return absl::UnimplementedError(function.unsupported.front());
  operation->count_ = static_cast<int>(std::count(statements.begin(), statements.end(), ';')) + 1;
  operation->instruction_ = &function.code[operation->count_ - 1];
  operation->frame_.resize(function.frame_bytes / 8 + 1);
  operation->constants_ = operation->program_->constants;
  operation->scratch_.resize(operation->program_->scratch_bytes / 8 + 64);
  operation->special_ = std::make_unique<SpecialRows>();
  operation->warp_.SetBase(RowRef::kFrame, operation->frame_.data());
  operation->warp_.SetBase(RowRef::kConstants, operation->constants_.data());
  operation->warp_.SetBase(RowRef::kSpecial, operation->special_.get());
  operation->warp_.SetBase(RowRef::kScratch, operation->scratch_.data());
  return operation;
}

void SingleOperation::Run(uint32_t mask) {
  for (int i = 0; i < count_; ++i) {
    const Instruction& instruction = function_->code[i];
    instruction.handler(warp_, instruction, mask);
  }
}

}  // namespace warpyard::emulator
