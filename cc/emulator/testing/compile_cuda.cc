// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/testing/compile_cuda.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/compiler.h"
#include "cc/ptx/testing/cuda_for_test.h"
#include "cc/target/compute_capability.h"

namespace warpyard::emulator {

std::string CompileCuda(std::string_view source, std::string_view target, bool line_info) {
  ptx::CompilerConfig config;
  config.tools = ptx::CudaForTest();
  config.provider = "nvrtc";
  auto compiler = ptx::Compiler::Create(std::move(config));
  CHECK_OK(compiler.status());
  const auto capability = ComputeCapability::Parse(target);
  CHECK_OK(capability.status());
  ptx::CompileRequest request;
  request.inputs.push_back({ptx::InputKind::kCudaCpp, "test.cu", std::string(source)});
  request.target = *capability;
  request.outputs = {ptx::OutputKind::kPtx};
  request.options.line_info = line_info;
  auto result = (*compiler)->Compile(request);
  CHECK_OK(result.status());
  return result->ptx;
}

std::string ReadSource(std::string_view path) {
  std::string prefix;
  if (const char* runfiles = std::getenv("TEST_SRCDIR"); runfiles != nullptr) {
    prefix = absl::StrCat(runfiles, "/_main/");
  }
  std::ifstream file(absl::StrCat(prefix, path));
  CHECK(file.good()) << path;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace warpyard::emulator
