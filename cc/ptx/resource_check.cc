// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/resource_check.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/ptx/cubin_reader.h"
#include "cc/ptx/tensor_memory.h"
#include "cc/target/kernel_limits.h"

namespace warpyard::ptx {

absl::Status FillResources(CompileResult& result) {
  if (result.cubin.empty()) return absl::OkStatus();
  absl::StatusOr<Cubin> cubin = ReadCubin(result.cubin);
  if (!cubin.ok()) {
    return absl::InternalError(absl::StrCat(
        result.tool_version, " gave a CUBIN that we cannot read: ", cubin.status().message()));
  }
  std::map<std::string, KernelResources> logged;
  for (KernelResources& kernel : result.kernels) {
    std::string name = kernel.name;
    logged.emplace(std::move(name), std::move(kernel));
  }
  result.kernels.clear();
  for (CubinKernel& kernel : cubin->kernels) {
    if (const auto found = logged.find(kernel.resources.name); found != logged.end()) {
      kernel.resources.spill_store_bytes = found->second.spill_store_bytes;
      kernel.resources.spill_load_bytes = found->second.spill_load_bytes;
    }
    result.kernels.push_back(std::move(kernel.resources));
  }
  return absl::OkStatus();
}

absl::Status CheckResources(const CompileRequest& request, const CompileResult& result,
                            const Generation& generation) {
  std::map<std::string, KernelNeeds> needs;  // ordered: the first failure is told
  for (const KernelResources& kernel : result.kernels) {
    needs[kernel.name] = {.registers_per_thread = kernel.registers,
                          .threads_per_block = kernel.max_threads_per_block,
                          .static_shared_memory = kernel.static_shared_bytes};
  }
  const auto add_columns = [&](const std::string& ptx) {
    for (const auto& [name, columns] : TensorMemoryColumns(ptx)) {
      int& most = needs[name].tensor_memory_columns;
      most = static_cast<int>(std::clamp<int64_t>(columns, most, std::numeric_limits<int>::max()));
    }
  };
  add_columns(result.ptx);
  for (const Input& input : request.inputs) {
    if (input.kind == InputKind::kPtx) add_columns(input.bytes);
  }
  for (const auto& [name, need] : needs) {
    WARPYARD_RETURN_IF_ERROR(CheckKernelLimits(name, need, generation));
  }
  return absl::OkStatus();
}

}  // namespace warpyard::ptx
