// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/address_operand.h"

#include <string_view>

#include "cc/emulator/program/decoder.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

using syntax::Operand;
using syntax::StateSpace;

bool ReadSpace(std::string_view modifier, StateSpace* space) {
  if (modifier == "global") {
    *space = StateSpace::kGlobal;
  } else if (modifier == "shared" || modifier == "shared::cta" || modifier == "shared::cluster") {
    *space = StateSpace::kShared;
  } else if (modifier == "local") {
    *space = StateSpace::kLocal;
  } else if (modifier == "const") {
    *space = StateSpace::kConst;
  } else if (modifier == "param" || modifier == "param::entry" || modifier == "param::func") {
    *space = StateSpace::kParam;
  } else {
    return false;
  }
  return true;
}

bool IsKernelParameter(DecodeContext& context, const Operand& place) {
  const Function& function = context.function();
  if (!function.is_entry || place.elements.empty()) return false;
  for (const Parameter& parameter : function.parameters) {
    if (parameter.name == place.elements[0].identifier) return true;
  }
  return false;
}

}  // namespace warpyard::emulator
