// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/cache_key.h"

#include <filesystem>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "cc/base/file.h"
#include "cc/ptx/compile_cache.pb.h"
#include "xxhash.h"

namespace warpyard::ptx {

std::string Hash128::ToHex() const { return absl::StrFormat("%016x%016x", high, low); }

Hash128 HashBytes(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {.low = hash.low64, .high = hash.high64};
}

CompileKey MakeCompileKey(const CompileRequest& request, const KeyContext& context) {
  CompileKeyProto proto;
  proto.set_schema(kSchemaVersion);
  proto.set_tool(context.tool);
  for (const std::string& file : context.tool_files) proto.add_tool_files(file);
  proto.set_target(request.target.SmName());
  for (const OutputKind output : request.outputs) proto.add_outputs(static_cast<int>(output));
  for (const Input& input : request.inputs) {
    CompileKeyProto::Input* added = proto.add_inputs();
    added->set_kind(static_cast<int>(input.kind));
    added->set_name(input.name);
    added->set_contents(input.bytes);
  }
  const CompileOptions& options = request.options;
  proto.set_optimization_level(options.optimization_level);
  proto.set_fast_math(options.fast_math);
  proto.set_line_info(options.line_info);
  proto.set_device_debug(options.device_debug);
  proto.set_relocatable(options.relocatable);
  proto.set_max_registers(options.max_registers.value_or(0));
  proto.set_language_standard(options.language_standard);
  for (const std::string& define : options.defines) proto.add_defines(define);
  for (const std::string& dir : options.include_dirs) proto.add_include_dirs(dir);
  for (const std::string& extra : options.extra) proto.add_extra(extra);
  proto.set_includes(context.includes);

  CompileKey key;
  key.bytes = proto.SerializeAsString();
  key.hash = HashBytes(key.bytes);
  return key;
}

std::string DescribeToolFile(const std::string& path) {
  if (path.empty()) return "";
  const absl::StatusOr<FileInfo> info = StatFile(path);
  if (!info.ok()) return "";
  return absl::StrCat(std::filesystem::path(path).filename().string(), " ", info->bytes, " ",
                      absl::ToUnixNanos(info->modified));
}

}  // namespace warpyard::ptx
