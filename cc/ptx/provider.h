// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The interface of everything that turns GPU code into GPU code.

#ifndef WARPYARD_CC_PTX_PROVIDER_H_
#define WARPYARD_CC_PTX_PROVIDER_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"

namespace warpyard::ptx {

// Thread-safe: any method may be called from several threads at once. A
// provider opens its tool on first use; a tool that could not be opened is
// looked for again on the next call, so a failure is never remembered.
class Provider {
 public:
  virtual ~Provider() = default;

  // Stable lower-case name: "nvrtc", "nvvm", "nvjitlink", "ptxas", "nvlink",
  // "driver", "composite".
  virtual std::string_view name() const = 0;

  // The tool's own version, e.g. 13.5. NOT_FOUND, naming the package to
  // install, when the tool is not on this machine.
  virtual absl::StatusOr<Version> ToolVersion() = 0;

  // Names the tools, with their versions, that would compile `request`, e.g.
  // "nvrtc 13.5". It is part of the key under which a result is cached, so it
  // differs wherever the code could. A provider that chooses among others
  // answers for the one that it would choose. NOT_FOUND as in ToolVersion().
  virtual absl::StatusOr<std::string> ToolIdentity(const CompileRequest& request) {
    absl::StatusOr<Version> version = ToolVersion();
    if (!version.ok()) return version.status();
    return std::string(name()) + " " + version->ToString();
  }

  // The newest PTX ISA that the tool reads or writes, asked from the tool.
  virtual absl::StatusOr<Version> LatestPtxIsaVersion() = 0;

  // OK when `Compile` would try; otherwise UNIMPLEMENTED with the reason
  // (wrong input or output form) or NOT_FOUND (no tool).
  virtual absl::Status Supports(const CompileRequest& request) = 0;

  virtual absl::StatusOr<CompileResult> Compile(const CompileRequest& request) = 0;
};

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_PROVIDER_H_
