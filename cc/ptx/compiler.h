// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The front door of cc/ptx: checked, cached, dumped compilation for any target.
//
//   CompilerConfig config;
//   config.tools = LocateCuda(Environment::FromProcess(), {});
//   WARPYARD_ASSIGN_OR_RETURN(auto compiler, Compiler::Create(std::move(config)));
//   WARPYARD_ASSIGN_OR_RETURN(CompileResult result, compiler->Compile(request));

#ifndef WARPYARD_CC_PTX_COMPILER_H_
#define WARPYARD_CC_PTX_COMPILER_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/compile_cache.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/dump.h"
#include "cc/ptx/include_closure.h"
#include "cc/ptx/provider.h"

namespace warpyard::ptx {

struct CompilerConfig {
  ToolPaths tools;
  CacheConfig cache;
  DumpConfig dump;
  std::string provider = "auto";  // one of ProviderNames()
};

// Thread-safe.
class Compiler {
 public:
  // INVALID_ARGUMENT for an unknown provider, naming the known ones. Tools are
  // looked for when they are first needed.
  static absl::StatusOr<std::unique_ptr<Compiler>> Create(CompilerConfig config);

  // With a provider of the caller's; `config.provider` is not looked at.
  Compiler(CompilerConfig config, std::unique_ptr<Provider> provider);

  // Checks the request; takes the result from the cache or compiles; reads each
  // kernel's resources from the CUBIN, and its spills from the log; checks them
  // against the target's generation; writes dumps.
  //
  // Errors are the provider's (log_parser.h), with the tool's log attached
  // (compile_log_status.h), and RESOURCE_EXHAUSTED for a kernel that compiles
  // but cannot run on the target (kernel_limits.h). A PTX alone is not checked.
  absl::StatusOr<CompileResult> Compile(const CompileRequest& request);

  // SASS of a CUBIN (disassembler.h).
  absl::StatusOr<std::string> Disassemble(std::string_view cubin) const;

  // Of the toolkit that would compile, e.g. 13.5. NOT_FOUND names what to
  // install.
  absl::StatusOr<Version> ToolkitVersion();

  // Troubles that failed no compilation, since the last call, in sentences for
  // users: a cache folder or a dump folder that cannot be written. Each is told
  // once.
  std::vector<std::string> TakeNotices();

  CacheStats cache_stats() const { return cache_.Stats(); }
  Provider& provider() { return *provider_; }

 private:
  absl::StatusOr<CompileResult> CompileCached(const CompileRequest& request);
  absl::StatusOr<CompileResult> CompileNow(const CompileRequest& request);
  CompileRequest WithPtx(const CompileRequest& request);
  void NoticeDump(const absl::Status& status);

  const CompilerConfig config_;
  const std::unique_ptr<Provider> provider_;
  CompileCache cache_;
  IncludeClosure includes_;

  absl::Mutex mutex_;
  bool told_of_dump_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::string> notices_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_COMPILER_H_
