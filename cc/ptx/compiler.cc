// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/compiler.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/ptx/cache_key.h"
#include "cc/ptx/compile_log_status.h"
#include "cc/ptx/disassembler.h"
#include "cc/ptx/forms.h"
#include "cc/ptx/include_options.h"
#include "cc/ptx/make_provider.h"
#include "cc/ptx/resource_check.h"
#include "cc/target/generation.h"
#include "cc/target/spec_database.h"

namespace warpyard::ptx {
namespace {

bool HasInput(const CompileRequest& request, InputKind kind) {
  return std::any_of(request.inputs.begin(), request.inputs.end(),
                     [&](const Input& input) { return input.kind == kind; });
}

const Generation* GenerationOf(const CompileRequest& request) {
  return SpecDatabase::Embedded().FindGeneration(request.target);
}

std::vector<std::string> ToolFiles(const ToolPaths& tools) {
  std::vector<std::string> files;
  for (const std::string& path :
       {tools.nvrtc, tools.nvvm, tools.nvjitlink, tools.ptxas, tools.nvlink, tools.libdevice}) {
    files.push_back(DescribeToolFile(path));
  }
  // Headers have no file that stands for all; this one names the release.
  if (!tools.cuda_include.empty())
    files.push_back(DescribeToolFile(tools.cuda_include + "/cuda.h"));
  return files;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Compiler>> Compiler::Create(CompilerConfig config) {
  WARPYARD_ASSIGN_OR_RETURN(std::unique_ptr<Provider> provider,
                            MakeProvider(config.provider, config.tools));
  return std::make_unique<Compiler>(std::move(config), std::move(provider));
}

Compiler::Compiler(CompilerConfig config, std::unique_ptr<Provider> provider)
    : config_(std::move(config)), provider_(std::move(provider)), cache_(config_.cache) {}

absl::StatusOr<CompileResult> Compiler::Compile(const CompileRequest& request) {
  WARPYARD_RETURN_IF_ERROR(ValidateRequest(request));
  absl::StatusOr<CompileResult> result = CompileCached(WithPtx(request));
  if (!result.ok()) {
    if (!config_.dump.dir.empty()) {
      NoticeDump(DumpFailure(config_.dump, request, result.status(),
                             provider_->ToolIdentity(request).value_or("")));
    }
    return result;
  }
  NoticeDump(DumpCompilation(config_.dump, request, *result,
                             [&](std::string_view cubin) { return Disassemble(cubin); }));
  if (!Wants(request, OutputKind::kPtx)) result->ptx.clear();
  return result;
}

// The PTX of CUDA C++ tells what a CUBIN does not (tensor memory), and dumps show
// it. Compilers that give a CUBIN have made it on the way.
CompileRequest Compiler::WithPtx(const CompileRequest& request) {
  CompileRequest extended = request;
  if (!Wants(request, OutputKind::kCubin) || Wants(request, OutputKind::kPtx) ||
      HasInput(request, InputKind::kPtx)) {
    return extended;
  }
  const Generation* generation = GenerationOf(request);
  const bool needed = config_.dump.Wants(DumpKind::kPtx) ||
                      (generation != nullptr && generation->tensor_memory_columns > 0);
  if (!needed) return extended;
  extended.outputs.push_back(OutputKind::kPtx);
  return provider_->Supports(extended).ok() ? extended : request;
}

absl::StatusOr<CompileResult> Compiler::CompileCached(const CompileRequest& request) {
  if (!config_.cache.memory && !config_.cache.disk) return CompileNow(request);
  absl::StatusOr<std::string> tool = provider_->ToolIdentity(request);
  if (!tool.ok()) return CompileNow(request);  // says best why it cannot
  KeyContext context;
  context.tool = *std::move(tool);
  context.tool_files = ToolFiles(config_.tools);

  const std::optional<IncludeSearch> search = IncludeSearchOf(request.options, config_.tools);
  // nullopt: what is included cannot be told, so nothing may be kept.
  const auto digest = [&]() -> std::optional<std::string> {
    std::string digests;
    for (const Input& input : request.inputs) {
      if (input.kind != InputKind::kCudaCpp) continue;
      if (!search.has_value()) return std::nullopt;
      absl::StatusOr<std::string> one = includes_.Digest(input.bytes, input.name, *search);
      if (!one.ok()) return std::nullopt;
      if (!one->empty()) absl::StrAppend(&digests, *one, "\n");
    }
    return digests;
  };
  const std::optional<std::string> before = digest();
  if (!before.has_value()) return CompileNow(request);
  context.includes = *before;
  return cache_.GetOrCompile(
      MakeCompileKey(request, context), [&] { return CompileNow(request); },
      // A header that was edited meanwhile: which text was compiled is not known.
      [&] { return digest() == before; });
}

absl::StatusOr<CompileResult> Compiler::CompileNow(const CompileRequest& request) {
  WARPYARD_ASSIGN_OR_RETURN(CompileResult result, provider_->Compile(request));
  result.from_cache = false;
  absl::Status status = FillResources(result);
  if (status.ok()) {
    if (const Generation* generation = GenerationOf(request); generation != nullptr) {
      status = CheckResources(request, result, *generation);
    }
  }
  if (!status.ok()) return AttachLog(status, result.log);
  return result;
}

absl::StatusOr<std::string> Compiler::Disassemble(std::string_view cubin) const {
  return DisassembleCubin(cubin, config_.tools);
}

absl::StatusOr<Version> Compiler::ToolkitVersion() { return provider_->ToolVersion(); }

void Compiler::NoticeDump(const absl::Status& status) {
  if (status.ok()) return;
  absl::MutexLock lock(mutex_);
  if (std::exchange(told_of_dump_, true)) return;
  notices_.push_back(absl::StrCat("not everything is dumped: ", status.message()));
}

std::vector<std::string> Compiler::TakeNotices() {
  std::vector<std::string> notices = cache_.TakeNotices();
  absl::MutexLock lock(mutex_);
  for (std::string& notice : notices_) notices.push_back(std::move(notice));
  notices_.clear();
  return notices;
}

}  // namespace warpyard::ptx
