// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The forms of code that providers take in and give back: their names, and the
// checks that every request passes before a tool sees it.

#ifndef WARPYARD_CC_PTX_FORMS_H_
#define WARPYARD_CC_PTX_FORMS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "cc/ptx/compilation.h"

namespace warpyard::ptx {

// As messages name them: "CUDA C++", "NVVM IR", "PTX", "LTO IR", "CUBIN".
std::string_view FormName(InputKind kind);
std::string_view FormName(OutputKind kind);

// How messages name the input at `index`: its own name, or "input 2" (from 1).
std::string InputName(const CompileRequest& request, size_t index);

bool Wants(const CompileRequest& request, OutputKind kind);

// What one call of a provider can do.
struct ProviderForms {
  std::vector<InputKind> inputs;
  std::vector<OutputKind> outputs;
  bool links = false;  // takes several inputs
};

// OK when the request's forms are among `forms`; otherwise UNIMPLEMENTED, e.g.
// "ptxas takes PTX, not CUDA C++ (saxpy.cu)".
absl::Status CheckForms(std::string_view provider, const ProviderForms& forms,
                        const CompileRequest& request);

// The most bytes that one input may have.
inline constexpr int64_t kMaxInputBytes = int64_t{256} << 20;

// INVALID_ARGUMENT, naming the field, unless the request makes sense to any
// provider: inputs and outputs there and not too many, sizes bounded, options
// in range, no NUL byte in anything that a tool reads as a C string (a NUL that
// ends a source is fine).
absl::Status ValidateRequest(const CompileRequest& request);

// The text of a source without NUL bytes at its end, which tools count into the
// size of the text they hand out.
std::string_view SourceText(const Input& input);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_FORMS_H_
