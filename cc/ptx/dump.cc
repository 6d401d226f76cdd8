// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/dump.h"

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "cc/base/file.h"
#include "cc/ptx/cache_key.h"
#include "cc/ptx/compile_log_status.h"

namespace warpyard::ptx {
namespace {

// File systems allow 255 bytes for the whole name.
constexpr size_t kMaxNameBytes = 100;

constexpr std::pair<std::string_view, DumpKind> kWords[] = {
    {"source", DumpKind::kSource}, {"ptx", DumpKind::kPtx},   {"ltoir", DumpKind::kLtoIr},
    {"cubin", DumpKind::kCubin},   {"sass", DumpKind::kSass}, {"log", DumpKind::kLog},
};

std::string_view Extension(InputKind kind) {
  switch (kind) {
    case InputKind::kCudaCpp:
      return "cu";
    case InputKind::kNvvmIr:
      return "ll";
    case InputKind::kPtx:
      return "ptx";
    case InputKind::kLtoIr:
      return "ltoir";
    case InputKind::kCubin:
      return "cubin";
  }
  return "bin";
}

// Writes all files of one stem and remembers the first error.
class Writer {
 public:
  Writer(const DumpConfig& config, std::string stem)
      : config_(config), stem_(std::move(stem)), status_(MakeFolders(config.dir)) {}

  void Write(DumpKind kind, std::string_view extension, std::string_view bytes) {
    if (!config_.Wants(kind)) return;
    const std::string path = absl::StrCat(config_.dir, "/", stem_, ".", extension);
    status_.Update(WriteFileAtomically(path, bytes));
  }

  void WriteSources(const CompileRequest& request) {
    for (size_t i = 0; i < request.inputs.size(); ++i) {
      const std::string number = request.inputs.size() == 1 ? "" : absl::StrCat(i, ".");
      Write(DumpKind::kSource, absl::StrCat("source.", number, Extension(request.inputs[i].kind)),
            request.inputs[i].bytes);
    }
  }

  void Fail(const absl::Status& status) { status_.Update(status); }
  const absl::Status& status() const { return status_; }

 private:
  const DumpConfig& config_;
  const std::string stem_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<DumpConfig> DumpConfig::FromEnvironment(const Environment& environment) {
  DumpConfig config;
  config.dir = environment.Get("WARPYARD_DUMP_TO").value_or("");
  const std::string words = environment.Get("WARPYARD_DUMP").value_or("");
  if (config.dir.empty() && !words.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("WARPYARD_DUMP is '", words,
                     "' but WARPYARD_DUMP_TO names no folder to write to: set it as well"));
  }
  for (std::string_view word : absl::StrSplit(words.empty() ? "all" : words, ',')) {
    word = absl::StripAsciiWhitespace(word);
    bool known = false;
    for (const auto& [name, kind] : kWords) {
      if (word != name && word != "all") continue;
      config.kinds.insert(kind);
      known = true;
    }
    if (!known) {
      return absl::InvalidArgumentError(
          absl::StrCat("WARPYARD_DUMP has the unknown word '", word,
                       "'; known are source, ptx, ltoir, cubin, sass, log and all"));
    }
  }
  return config;
}

std::string DumpStem(const CompileRequest& request, const std::string& tool) {
  std::string name =
      request.inputs.empty() ? "" : std::filesystem::path(request.inputs[0].name).stem().string();
  if (name.size() > kMaxNameBytes) name.resize(kMaxNameBytes);
  for (char& letter : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(letter)) && letter != '-') letter = '_';
  }
  if (name.empty()) name = "unnamed";
  if (request.inputs.size() > 1) absl::StrAppend(&name, "+", request.inputs.size() - 1);
  // What is asked for does not change what the files hold.
  CompileRequest same = request;
  same.outputs.clear();
  const CompileKey key = MakeCompileKey(same, {.tool = tool, .tool_files = {}, .includes = ""});
  return absl::StrCat(name, ".", request.target.SmName(), ".",
                      absl::Hex(key.hash.high, absl::kZeroPad16));
}

absl::Status DumpCompilation(const DumpConfig& config, const CompileRequest& request,
                             const CompileResult& result, DisassembleFunction disassemble) {
  if (config.dir.empty()) return absl::OkStatus();
  Writer writer(config, DumpStem(request, result.tool_version));
  writer.WriteSources(request);
  if (!result.ptx.empty()) writer.Write(DumpKind::kPtx, "ptx", result.ptx);
  if (!result.lto_ir.empty()) writer.Write(DumpKind::kLtoIr, "ltoir", result.lto_ir);
  if (!result.cubin.empty()) {
    writer.Write(DumpKind::kCubin, "cubin", result.cubin);
    if (config.Wants(DumpKind::kSass)) {
      const absl::StatusOr<std::string> sass = disassemble(result.cubin);
      if (sass.ok()) {
        writer.Write(DumpKind::kSass, "sass", *sass);
      } else {
        writer.Fail(sass.status());
      }
    }
  }
  writer.Write(DumpKind::kLog, "log", result.log);
  return writer.status();
}

absl::Status DumpFailure(const DumpConfig& config, const CompileRequest& request,
                         const absl::Status& failure, const std::string& tool) {
  if (config.dir.empty()) return absl::OkStatus();
  Writer writer(config, DumpStem(request, tool));
  writer.WriteSources(request);
  const std::string log = LogOf(failure);
  writer.Write(DumpKind::kLog, "log", log.empty() ? std::string(failure.message()) : log);
  return writer.status();
}

}  // namespace warpyard::ptx
