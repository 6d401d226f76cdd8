// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/program_loader.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/driver/ptx_linker.h"
#include "cc/emulator/operations/all_operations.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/syntax/parser.h"

namespace warpyard::emulator::driver {

absl::StatusOr<std::shared_ptr<const Program>> CompilePtx(const std::vector<std::string>& modules,
                                                          const ComputeCapability& device) {
  WARPYARD_ASSIGN_OR_RETURN(std::string text, LinkPtx(modules));
  WARPYARD_ASSIGN_OR_RETURN(syntax::Module module, syntax::Parse(std::move(text)));
  WARPYARD_ASSIGN_OR_RETURN(const ComputeCapability target,
                            ComputeCapability::Parse(module.target));
  if (!CanRun(target, device, CodeKind::kPtx)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "code for ", target.SmName(), " does not run on compute capability ", device.ToString()));
  }
  WARPYARD_ASSIGN_OR_RETURN(std::unique_ptr<Program> program,
                            Decode(std::move(module), AllOperations()));
  return std::shared_ptr<const Program>(std::move(program));
}

}  // namespace warpyard::emulator::driver
