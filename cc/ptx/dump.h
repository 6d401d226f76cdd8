// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Writes what goes into compilations and what comes out, for people to look at.
//
// Each file is DIR/NAME.TARGET.DIGEST.EXTENSION, the same in every run:
//
//   NAME       the first input's name without folder and extension, characters
//              other than letters, digits, '-' and '_' replaced by '_'; "+2"
//              after it when there are two more inputs
//   TARGET     "sm_90a"
//   DIGEST     16 hexadecimal digits of all inputs and options and of the tool,
//              so that the same kernel with other options has other files
//   EXTENSION  source.cu, source.ll, source.ptx, ... (source.0.ptx, source.1.ptx
//              when there are several), ptx, ltoir, cubin, sass, log

#ifndef WARPYARD_CC_PTX_DUMP_H_
#define WARPYARD_CC_PTX_DUMP_H_

#include <set>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/base/environment.h"
#include "cc/ptx/compilation.h"

namespace warpyard::ptx {

enum class DumpKind { kSource, kPtx, kLtoIr, kCubin, kSass, kLog };

struct DumpConfig {
  std::string dir;           // empty: nothing is written
  std::set<DumpKind> kinds;  // which files

  bool Wants(DumpKind kind) const { return !dir.empty() && kinds.contains(kind); }

  // WARPYARD_DUMP_TO is the folder; WARPYARD_DUMP chooses among source, ptx,
  // ltoir, cubin, sass, log and all, separated by commas; not set, it is all.
  // INVALID_ARGUMENT names an unknown word and the known ones, or says that the
  // folder is missing.
  static absl::StatusOr<DumpConfig> FromEnvironment(const Environment& environment);
};

using DisassembleFunction = absl::FunctionRef<absl::StatusOr<std::string>(std::string_view cubin)>;

// Writes the files of one compilation, making the folder if need be. Goes on
// after an error and returns the first.
absl::Status DumpCompilation(const DumpConfig& config, const CompileRequest& request,
                             const CompileResult& result, DisassembleFunction disassemble);

// Writes the sources and, as the log, what the tool said.
absl::Status DumpFailure(const DumpConfig& config, const CompileRequest& request,
                         const absl::Status& failure, const std::string& tool);

// "saxpy.sm_90.0123456789abcdef": what the names of all files begin with.
std::string DumpStem(const CompileRequest& request, const std::string& tool);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_DUMP_H_
