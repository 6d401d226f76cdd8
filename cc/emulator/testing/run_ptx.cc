// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/testing/run_ptx.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "cc/emulator/operations/all_operations.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/syntax/parser.h"
#include "cc/target/spec_database.h"

namespace warpyard::emulator {

TestModule::TestModule(std::string ptx, std::string_view gpu) {
  auto parsed = syntax::Parse(std::move(ptx));
  CHECK_OK(parsed.status());
  auto decoded = Decode(*std::move(parsed), AllOperations());
  CHECK_OK(decoded.status());
  program_ = *std::move(decoded);
  auto loaded = LoadedModule::Load(program_, 0, map_);
  CHECK_OK(loaded.status());
  loaded_ = *std::move(loaded);
  const auto device = SpecDatabase::Embedded().FindByName(gpu);
  CHECK_OK(device.status());
  config.module = loaded_.get();
  config.device = *device;
  config.memory = &map_;
  config.print = [this](std::string_view text) { printed.append(text); };
}

TestModule::~TestModule() {
  loaded_.reset();
  for (void* const memory : memory_) std::free(memory);
}

std::string TestModule::Kernel(std::string_view body, std::string_view before) {
  return absl::StrCat(
      ".version 8.7\n.target sm_90a\n.address_size 64\n", before,
      "\n.visible .entry k(.param .u64 k_out, .param .u64 k_in)\n{\n"
      ".reg .b32 %r<64>;\n.reg .b64 %rd<64>;\n.reg .b16 %h<32>;\n.reg .f32 %f<32>;\n"
      ".reg .f64 %fd<32>;\n.reg .pred %p<16>;\n.reg .b128 %b<4>;\n"
      "ld.param.u64 %rd0, [k_out];\nld.param.u64 %rd1, [k_in];\n",
      body, "\nret;\n}\n");
}

void* TestModule::AllocateBytes(uint64_t bytes) {
  const uint64_t rounded = (std::max<uint64_t>(bytes, 1) + 255) & ~uint64_t{255};
  void* const memory = std::aligned_alloc(256, rounded);
  CHECK(memory != nullptr);
  std::memset(memory, 0, rounded);
  memory_.push_back(memory);
  Allocation allocation;
  allocation.base = reinterpret_cast<uint64_t>(memory);
  allocation.size = bytes;
  CHECK_OK(map_.Add(allocation));
  return memory;
}

std::optional<Fault> TestModule::LaunchBytes(std::string_view kernel, Dim3 grid, Dim3 block,
                                             const std::vector<std::string>& args) {
  config.function = loaded_->FindKernel(kernel);
  CHECK(config.function != nullptr) << kernel;
  CHECK_EQ(args.size(), config.function->parameters.size());
  std::string parameters(config.function->parameter_bytes, '\0');
  for (size_t i = 0; i < args.size(); ++i) {
    const Parameter& parameter = config.function->parameters[i];
    CHECK_EQ(args[i].size(), parameter.size) << parameter.name;
    std::memcpy(parameters.data() + parameter.offset, args[i].data(), args[i].size());
  }
  config.grid = grid;
  config.block = block;
  config.parameters = parameters.data();
  CHECK_OK(CheckLaunch(config));
  return Run(config);
}

}  // namespace warpyard::emulator
