// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/forms.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/base/status_macros.h"

namespace warpyard::ptx {
namespace {

constexpr size_t kMaxInputs = 4096;
constexpr size_t kMaxNameBytes = 4096;
constexpr int kMaxOptimizationLevel = 3;
// No GPU gives a thread more (CUDA Programming Guide, "Compute Capabilities").
constexpr int kMaxRegistersPerThread = 255;

template <typename Kind>
std::string Names(const std::vector<Kind>& kinds) {
  return absl::StrJoin(kinds, ", ",
                       [](std::string* out, Kind kind) { absl::StrAppend(out, FormName(kind)); });
}

template <typename T>
bool Contains(const std::vector<T>& values, const T& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool HasNul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

bool IsText(InputKind kind) { return kind == InputKind::kCudaCpp || kind == InputKind::kPtx; }

absl::Status ValidateInput(const CompileRequest& request, size_t index) {
  const Input& input = request.inputs[index];
  if (input.name.size() > kMaxNameBytes || HasNul(input.name) ||
      input.name.find('\n') != std::string::npos) {
    return absl::InvalidArgumentError(absl::StrCat("the name of input ", index + 1,
                                                   " is longer than ", kMaxNameBytes,
                                                   " bytes or holds a NUL or a line break"));
  }
  const std::string name = InputName(request, index);
  if (input.bytes.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, " is empty; ", FormName(input.kind), " was expected"));
  }
  if (input.bytes.size() > kMaxInputBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        name, " has ", input.bytes.size(), " bytes; at most ", kMaxInputBytes, " are compiled"));
  }
  if (IsText(input.kind) && HasNul(SourceText(input))) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, " holds a NUL byte; ", FormName(input.kind), " is text"));
  }
  return absl::OkStatus();
}

absl::Status ValidateStrings(std::string_view field, const std::vector<std::string>& strings) {
  for (const std::string& string : strings) {
    if (string.empty() || HasNul(string)) {
      return absl::InvalidArgumentError(
          absl::StrCat("an entry of the option ", field, " is empty or holds a NUL byte"));
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateOptions(const CompileOptions& options) {
  if (options.optimization_level < 0 || options.optimization_level > kMaxOptimizationLevel) {
    return absl::InvalidArgumentError(absl::StrCat("the option optimization_level is ",
                                                   options.optimization_level, "; it must be 0 to ",
                                                   kMaxOptimizationLevel));
  }
  if (options.max_registers.has_value() &&
      (*options.max_registers < 1 || *options.max_registers > kMaxRegistersPerThread)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the option max_registers is ", *options.max_registers,
                     "; a thread can have 1 to ", kMaxRegistersPerThread));
  }
  if (options.language_standard.empty() || HasNul(options.language_standard)) {
    return absl::InvalidArgumentError("the option language_standard is empty or holds a NUL byte");
  }
  WARPYARD_RETURN_IF_ERROR(ValidateStrings("defines", options.defines));
  WARPYARD_RETURN_IF_ERROR(ValidateStrings("include_dirs", options.include_dirs));
  return ValidateStrings("extra", options.extra);
}

}  // namespace

std::string_view FormName(InputKind kind) {
  switch (kind) {
    case InputKind::kCudaCpp:
      return "CUDA C++";
    case InputKind::kNvvmIr:
      return "NVVM IR";
    case InputKind::kPtx:
      return "PTX";
    case InputKind::kLtoIr:
      return "LTO IR";
    case InputKind::kCubin:
      return "CUBIN";
  }
  return "unknown";
}

std::string_view FormName(OutputKind kind) {
  switch (kind) {
    case OutputKind::kPtx:
      return "PTX";
    case OutputKind::kLtoIr:
      return "LTO IR";
    case OutputKind::kCubin:
      return "CUBIN";
  }
  return "unknown";
}

std::string InputName(const CompileRequest& request, size_t index) {
  const std::string& name = request.inputs[index].name;
  return name.empty() ? absl::StrCat("input ", index + 1) : name;
}

bool Wants(const CompileRequest& request, OutputKind kind) {
  return Contains(request.outputs, kind);
}

absl::Status CheckForms(std::string_view provider, const ProviderForms& forms,
                        const CompileRequest& request) {
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const InputKind kind = request.inputs[i].kind;
    if (!Contains(forms.inputs, kind)) {
      return absl::UnimplementedError(absl::StrCat(provider, " takes ", Names(forms.inputs),
                                                   ", not ", FormName(kind), " (",
                                                   InputName(request, i), ")"));
    }
  }
  for (const OutputKind kind : request.outputs) {
    if (!Contains(forms.outputs, kind)) {
      return absl::UnimplementedError(
          absl::StrCat(provider, " gives ", Names(forms.outputs), ", not ", FormName(kind)));
    }
  }
  if (!forms.links && request.inputs.size() > 1) {
    return absl::UnimplementedError(
        absl::StrCat(provider, " takes one input at a time, not ", request.inputs.size()));
  }
  return absl::OkStatus();
}

absl::Status ValidateRequest(const CompileRequest& request) {
  if (request.inputs.empty()) {
    return absl::InvalidArgumentError("a compilation needs at least one input");
  }
  if (request.inputs.size() > kMaxInputs) {
    return absl::InvalidArgumentError(absl::StrCat("a compilation has ", request.inputs.size(),
                                                   " inputs; at most ", kMaxInputs, " are linked"));
  }
  if (request.outputs.empty()) {
    return absl::InvalidArgumentError("a compilation needs at least one output form");
  }
  for (size_t i = 0; i < request.outputs.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (request.outputs[i] == request.outputs[j]) {
        return absl::InvalidArgumentError(absl::StrCat(
            "a compilation asks twice for the output form ", FormName(request.outputs[i])));
      }
    }
  }
  if (request.target == ComputeCapability()) {
    return absl::InvalidArgumentError("a compilation needs a target, e.g. sm_90a");
  }
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    WARPYARD_RETURN_IF_ERROR(ValidateInput(request, i));
  }
  return ValidateOptions(request.options);
}

std::string_view SourceText(const Input& input) {
  std::string_view text = input.bytes;
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  return text;
}

}  // namespace warpyard::ptx
