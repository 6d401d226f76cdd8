// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/composite_provider.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/base/status_macros.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/forms.h"

namespace warpyard::ptx {
namespace {

// A provider that was chosen, and those before it that were not, with reasons.
struct Choice {
  Provider* provider = nullptr;
  std::vector<std::string> refusals;
  bool tool_missing = false;

  // "nvjitlink (ptxas: ...)".
  std::string Explain() const {
    std::string text(provider->name());
    if (!refusals.empty()) absl::StrAppend(&text, " (", absl::StrJoin(refusals, "; "), ")");
    return text;
  }
};

bool IsSource(const Input& input) {
  return input.kind == InputKind::kCudaCpp || input.kind == InputKind::kNvvmIr;
}

// The request that turns the source at `index` into PTX for the linker.
CompileRequest SourceStep(const CompileRequest& request, size_t index) {
  CompileRequest step = request;
  step.inputs = {request.inputs[index]};
  step.outputs = {OutputKind::kPtx};
  step.options.relocatable = request.options.relocatable || request.inputs.size() > 1;
  return step;
}

// Options that only a compiler of sources reads are not the linker's.
CompileOptions LinkOptions(const CompileOptions& options) {
  CompileOptions link = options;
  link.defines.clear();
  link.include_dirs.clear();
  link.extra.clear();
  return link;
}

// The request that makes a CUBIN of what the first step made. The bytes of
// inputs that are still to be compiled are left empty: which provider supports
// a request depends on forms alone.
CompileRequest LinkStep(const CompileRequest& request) {
  CompileRequest step = request;
  for (Input& input : step.inputs) {
    if (!IsSource(input)) continue;
    input.kind = InputKind::kPtx;
    input.bytes.clear();
  }
  step.outputs = {OutputKind::kCubin};
  step.options = LinkOptions(request.options);
  return step;
}

// Whether two steps can do what one could not: a CUBIN, alone or with the PTX of
// a single source, of inputs among which there is a source.
bool TwoStepsFit(const CompileRequest& request) {
  if (!Wants(request, OutputKind::kCubin) || Wants(request, OutputKind::kLtoIr)) return false;
  if (Wants(request, OutputKind::kPtx) && request.inputs.size() != 1) return false;
  return std::any_of(request.inputs.begin(), request.inputs.end(), IsSource);
}

class CompositeProvider final : public Provider {
 public:
  explicit CompositeProvider(std::vector<std::unique_ptr<Provider>> providers)
      : providers_(std::move(providers)) {
    CHECK(!providers_.empty());
  }

  std::string_view name() const override { return "composite"; }

  absl::StatusOr<Version> ToolVersion() override {
    return FirstAnswer([](Provider& provider) { return provider.ToolVersion(); });
  }

  absl::StatusOr<Version> LatestPtxIsaVersion() override {
    return FirstAnswer([](Provider& provider) { return provider.LatestPtxIsaVersion(); });
  }

  absl::StatusOr<std::string> ToolIdentity(const CompileRequest& request) override {
    WARPYARD_ASSIGN_OR_RETURN(const Plan plan, MakePlan(request));
    if (plan.direct.provider != nullptr) return plan.direct.provider->ToolIdentity(request);
    std::vector<std::string> identities;
    for (size_t i = 0; i < request.inputs.size(); ++i) {
      if (plan.sources[i].provider == nullptr) continue;
      WARPYARD_ASSIGN_OR_RETURN(std::string identity,
                                plan.sources[i].provider->ToolIdentity(SourceStep(request, i)));
      if (std::find(identities.begin(), identities.end(), identity) == identities.end()) {
        identities.push_back(std::move(identity));
      }
    }
    WARPYARD_ASSIGN_OR_RETURN(std::string linker,
                              plan.link.provider->ToolIdentity(LinkStep(request)));
    return absl::StrCat(absl::StrJoin(identities, " + "), " + ", linker);
  }

  absl::Status Supports(const CompileRequest& request) override {
    return MakePlan(request).status();
  }

  absl::StatusOr<CompileResult> Compile(const CompileRequest& request) override {
    WARPYARD_ASSIGN_OR_RETURN(const Plan plan, MakePlan(request));
    if (plan.direct.provider != nullptr) {
      WARPYARD_ASSIGN_OR_RETURN(CompileResult result, plan.direct.provider->Compile(request));
      result.provider = plan.direct.Explain();
      return result;
    }
    return CompileInTwoSteps(request, plan);
  }

 private:
  struct Plan {
    Choice direct;                // or, where its provider is null:
    std::vector<Choice> sources;  // one for each input; null provider: it is linked as it is
    Choice link;
  };

  template <typename Question>
  absl::StatusOr<Version> FirstAnswer(const Question& question) {
    absl::StatusOr<Version> first = question(*providers_.front());
    for (size_t i = 1; !first.ok() && i < providers_.size(); ++i) {
      absl::StatusOr<Version> answer = question(*providers_[i]);
      if (answer.ok()) return answer;
    }
    return first;
  }

  Choice Choose(const CompileRequest& request) {
    Choice choice;
    for (const std::unique_ptr<Provider>& provider : providers_) {
      const absl::Status status = provider->Supports(request);
      if (status.ok()) {
        choice.provider = provider.get();
        break;
      }
      choice.tool_missing |= absl::IsNotFound(status);
      choice.refusals.push_back(absl::StrCat(provider->name(), ": ", status.message()));
    }
    return choice;
  }

  absl::StatusOr<Plan> MakePlan(const CompileRequest& request) {
    Plan plan;
    plan.direct = Choose(request);
    if (plan.direct.provider != nullptr) return plan;
    std::vector<std::string> reasons = plan.direct.refusals;
    bool tool_missing = plan.direct.tool_missing;
    if (TwoStepsFit(request)) {
      bool complete = true;
      for (size_t i = 0; i < request.inputs.size(); ++i) {
        plan.sources.emplace_back();
        if (!IsSource(request.inputs[i])) continue;
        plan.sources.back() = Choose(SourceStep(request, i));
        if (plan.sources.back().provider != nullptr) continue;
        complete = false;
        reasons = plan.sources.back().refusals;
        tool_missing |= plan.sources.back().tool_missing;
      }
      plan.link = Choose(LinkStep(request));
      if (complete && plan.link.provider != nullptr) return plan;
      if (complete) {
        reasons = plan.link.refusals;
        tool_missing |= plan.link.tool_missing;
      }
    }
    const std::string message =
        absl::StrCat("no provider can do this: ", absl::StrJoin(reasons, "; "));
    if (tool_missing) return absl::NotFoundError(message);
    return absl::UnimplementedError(message);
  }

  absl::StatusOr<CompileResult> CompileInTwoSteps(const CompileRequest& request, const Plan& plan) {
    CompileRequest link = LinkStep(request);
    std::string log;
    std::string ptx;
    std::vector<std::string> warnings;
    std::vector<std::string> versions;
    std::vector<std::string> taken;
    absl::Duration duration;
    for (size_t i = 0; i < request.inputs.size(); ++i) {
      if (plan.sources[i].provider == nullptr) continue;
      WARPYARD_ASSIGN_OR_RETURN(CompileResult step,
                                plan.sources[i].provider->Compile(SourceStep(request, i)));
      absl::StrAppend(&log, step.log);
      warnings.insert(warnings.end(), step.warnings.begin(), step.warnings.end());
      duration += step.duration;
      const std::string name(plan.sources[i].provider->name());
      if (std::find(taken.begin(), taken.end(), name) == taken.end()) {
        taken.push_back(name);
        versions.push_back(step.tool_version);
      }
      ptx = step.ptx;
      link.inputs[i].bytes = std::move(step.ptx);
    }
    WARPYARD_ASSIGN_OR_RETURN(CompileResult result, plan.link.provider->Compile(link));
    result.log = absl::StrCat(log, result.log);
    result.warnings.insert(result.warnings.begin(), warnings.begin(), warnings.end());
    result.duration += duration;
    if (Wants(request, OutputKind::kPtx)) result.ptx = std::move(ptx);
    versions.push_back(result.tool_version);
    result.tool_version = absl::StrJoin(versions, " + ");
    result.provider = absl::StrCat(absl::StrJoin(taken, " + "), ", then ", plan.link.Explain());
    return result;
  }

  const std::vector<std::unique_ptr<Provider>> providers_;
};

}  // namespace

std::unique_ptr<Provider> MakeCompositeProvider(std::vector<std::unique_ptr<Provider>> providers) {
  return std::make_unique<CompositeProvider>(std::move(providers));
}

}  // namespace warpyard::ptx
