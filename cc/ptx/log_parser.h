// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Reads what NVIDIA's compilers print: ptxas, nvlink, nvJitLink, NVRTC and
// libNVVM, of CUDA 11.8 and later. Their output has no specification, so the
// wording here was collected from the tools themselves (testdata/logs).
//
//   ParsedLog log = ParseCompilerLog(text, {.target = "sm_90a"});
//   if (!log.status.ok()) return log.status;

#ifndef WARPYARD_CC_PTX_LOG_PARSER_H_
#define WARPYARD_CC_PTX_LOG_PARSER_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "cc/ptx/compilation.h"

namespace warpyard::ptx {

// What the tool was asked for; it only goes into messages.
struct LogContext {
  std::string_view target;          // e.g. "sm_90a"
  std::string_view highest_target;  // newest that the tool knows; empty: not known
};

struct ParsedLog {
  // One for each kernel that a verbose log (`ptxas -v`, nvJitLink `-verbose`,
  // NVRTC `--ptxas-options=-v`) tells of, sorted by name. Spills appear in logs
  // alone: a CUBIN does not hold them. Spills of a function that is called, not
  // inlined, count for the kernel under which ptxas lists it.
  std::vector<KernelResources> kernels;

  // Without the tool's name in front, in the order of the log, each once.
  std::vector<std::string> warnings;

  // OK unless the log holds an error. Otherwise
  //   UNIMPLEMENTED       the tool is too old: it does not know the target, or
  //                       the PTX is of a newer ISA than it reads;
  //   RESOURCE_EXHAUSTED  registers, shared, constant, parameter or tensor
  //                       memory do not suffice: what was asked for and what
  //                       there is;
  //   NOT_FOUND           undefined functions or variables, all of them named;
  //   INVALID_ARGUMENT    everything else that is wrong with the code: the
  //                       tool's own diagnostics, with file and line.
  // The first special error decides, since later ones often follow from it.
  absl::Status status;
};

// Never fails: text that is none of the known forms is passed over.
ParsedLog ParseCompilerLog(std::string_view log, const LogContext& context);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_LOG_PARSER_H_
