// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/fault.h"

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"

namespace warpyard::emulator {

std::string_view FaultKindName(FaultKind kind) {
  switch (kind) {
    case FaultKind::kIllegalAddress:
      return "illegal address";
    case FaultKind::kMisalignedAddress:
      return "misaligned address";
    case FaultKind::kInvalidAddressSpace:
      return "invalid address space";
    case FaultKind::kInvalidProgramCounter:
      return "invalid program counter";
    case FaultKind::kIllegalInstruction:
      return "illegal instruction";
    case FaultKind::kStackOverflow:
      return "stack overflow";
    case FaultKind::kTrap:
      return "trap";
    case FaultKind::kAssert:
      return "assertion";
    case FaultKind::kTimeout:
      return "time limit";
    case FaultKind::kDeadlock:
      return "deadlock";
    case FaultKind::kSanitizer:
      return "sanitizer";
    case FaultKind::kUnsupported:
      return "not supported";
  }
  return "fault";
}

std::string Fault::ToString() const {
  std::string text = absl::StrCat(kernel, ": ", what);
  if (has_thread) {
    absl::StrAppend(&text, " by thread (", thread[0], ",", thread[1], ",", thread[2],
                    ") of block (", block[0], ",", block[1], ",", block[2], ")");
  } else if (has_block) {
    absl::StrAppend(&text, " in block (", block[0], ",", block[1], ",", block[2], ")");
  }
  if (!detail.empty()) absl::StrAppend(&text, ": ", detail);
  if (!source.empty()) absl::StrAppend(&text, "; ", source);
  if (!this->text.empty()) absl::StrAppend(&text, source.empty() ? "; " : ": ", this->text);
  return text;
}

}  // namespace warpyard::emulator
