// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/log_parser.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace warpyard::ptx {
namespace {

// More than this many diagnostics in one message help nobody.
constexpr size_t kMaxDiagnostics = 20;

enum class Severity { kInfo, kWarning, kError };

// One diagnostic, e.g. `ptxas a.ptx, line 9; error   : Unknown modifier '.bar'`.
struct Diagnostic {
  Severity severity;
  std::string_view location;  // "a.ptx, line 9", "a.cu(3)", or empty
  std::string_view message;   // "Unknown modifier '.bar'"
};

// Where `word` ends when `text` is a severity, blanks and a colon.
std::optional<std::string_view> AfterSeverity(std::string_view text, std::string_view word) {
  if (!absl::ConsumePrefix(&text, word)) return std::nullopt;
  text = absl::StripLeadingAsciiWhitespace(text);
  if (!absl::ConsumePrefix(&text, ":")) return std::nullopt;
  return absl::StripAsciiWhitespace(text);
}

std::optional<std::pair<Severity, std::string_view>> SplitSeverity(std::string_view text) {
  static constexpr std::pair<std::string_view, Severity> kWords[] = {
      {"info", Severity::kInfo},
      {"warning", Severity::kWarning},
      {"error", Severity::kError},
      {"fatal", Severity::kError},
  };
  for (const auto& [word, severity] : kWords) {
    if (auto message = AfterSeverity(text, word)) return std::pair(severity, *message);
  }
  return std::nullopt;
}

// ptxas, nvlink and, without a name in front, nvJitLink.
std::optional<Diagnostic> ParseAssemblerLine(std::string_view line) {
  if (!absl::ConsumePrefix(&line, "ptxas ")) absl::ConsumePrefix(&line, "nvlink ");
  if (auto split = SplitSeverity(line)) return Diagnostic{split->first, "", split->second};
  // A file name may hold anything, so look for the last "; error   :" whose
  // left side ends in a line number.
  for (size_t at = line.find("; "); at != line.npos; at = line.find("; ", at + 2)) {
    std::string_view location = line.substr(0, at);
    if (!absl::StrContains(location, ", line ")) continue;
    if (auto split = SplitSeverity(line.substr(at + 2))) {
      return Diagnostic{split->first, location, split->second};
    }
  }
  return std::nullopt;
}

// The C++ front end: `a.cu(3): error: ...`, `a.cu(3): warning #177-D: ...`,
// `a.cu(3): catastrophic error: ...`; the drivers: `nvrtc: error: ...`,
// `libnvvm : error: ...`, `Command-line error: ...`.
std::optional<Diagnostic> ParseFrontEndLine(std::string_view line) {
  static constexpr std::pair<std::string_view, Severity> kWords[] = {
      {": error", Severity::kError},          {": catastrophic error", Severity::kError},
      {": internal error", Severity::kError}, {": warning", Severity::kWarning},
      {" error", Severity::kError},  // "Command-line error: ..."
  };
  for (const auto& [word, severity] : kWords) {
    const size_t at = line.find(word);
    if (at == line.npos || at == 0) continue;
    const std::string_view location = line.substr(0, at);
    if (location != "nvrtc" && location != "libnvvm " && location != "Command-line" &&
        !absl::EndsWith(location, ")")) {
      continue;
    }
    std::string_view rest = line.substr(at + word.size());
    if (absl::StartsWith(rest, " #")) {  // a diagnostic's number: " #177-D"
      rest.remove_prefix(std::min(rest.find(':'), rest.size()));
    }
    if (!absl::ConsumePrefix(&rest, ":")) continue;
    return Diagnostic{severity, location, absl::StripAsciiWhitespace(rest)};
  }
  return std::nullopt;
}

// nvJitLink's own: `ERROR NVJITLINK_ERROR_UNSUPPORTED_ARCH: unsupported ...`,
// `ERROR 9: complete`, and one sentence that has no form at all.
std::optional<Diagnostic> ParseLinkerLine(std::string_view line) {
  if (absl::EndsWith(line, "binary format mismatch")) return Diagnostic{Severity::kError, "", line};
  if (!absl::ConsumePrefix(&line, "ERROR ")) return std::nullopt;
  const size_t colon = line.find(": ");
  if (colon == line.npos || absl::StrContains(line.substr(0, colon), " ")) return std::nullopt;
  // The code is all that tells an unknown target.
  if (absl::EndsWith(line.substr(0, colon), "_ARCH")) return Diagnostic{Severity::kError, "", line};
  return Diagnostic{Severity::kError, "", line.substr(colon + 2)};
}

std::optional<Diagnostic> ParseLine(std::string_view line) {
  if (auto diagnostic = ParseAssemblerLine(line)) return diagnostic;
  if (auto diagnostic = ParseLinkerLine(line)) return diagnostic;
  return ParseFrontEndLine(line);
}

// Says only that something failed; what failed stands in other lines.
bool IsEcho(std::string_view message) {
  return message == "Ptx assembly aborted due to errors" || message == "complete" ||
         message == "finish" || message == "merge_elf failed" ||
         absl::StartsWith(message, "JIT the PTX (") ||
         absl::StartsWith(message, "Overriding maximum register limit");
}

// The text between the first two single quotes from `from` on.
std::string_view Quoted(std::string_view text, size_t from = 0) {
  const size_t open = text.find('\'', from);
  if (open == text.npos) return "";
  const size_t close = text.find('\'', open + 1);
  if (close == text.npos) return "";
  return text.substr(open + 1, close - open - 1);
}

// The integer in front of `unit`, as in "400 bytes stack frame".
std::optional<int64_t> NumberBefore(std::string_view text, std::string_view unit) {
  const size_t at = text.find(unit);
  if (at == text.npos) return std::nullopt;
  std::string_view left = absl::StripTrailingAsciiWhitespace(text.substr(0, at));
  size_t start = left.size();
  while (start > 0 && absl::ascii_isdigit(static_cast<unsigned char>(left[start - 1]))) --start;
  int64_t value;
  if (!absl::SimpleAtoi(left.substr(start), &value)) return std::nullopt;
  return value;
}

// The integer, decimal or 0x..., that follows `label`.
std::optional<int64_t> NumberAfter(std::string_view text, std::string_view label) {
  const size_t at = text.find(label);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + label.size());
  int64_t value;
  if (absl::ConsumePrefix(&text, "0x")) {
    const size_t end = text.find_first_not_of("0123456789abcdefABCDEF");
    if (!absl::SimpleHexAtoi(text.substr(0, end), &value)) return std::nullopt;
    return value;
  }
  const size_t end = text.find_first_not_of("0123456789");
  if (!absl::SimpleAtoi(text.substr(0, end), &value)) return std::nullopt;
  return value;
}

// Sums `N bytes cmem[M]` over all banks of the line.
int64_t ConstantBytes(std::string_view line) {
  int64_t sum = 0;
  for (std::string_view part : absl::StrSplit(line, ',')) {
    if (absl::StrContains(part, " bytes cmem["))
      sum += NumberBefore(part, " bytes cmem").value_or(0);
  }
  return sum;
}

// Collects per-kernel figures from the verbose lines.
class ResourceCollector {
 public:
  // `message` is what follows "info :".
  void Info(std::string_view message) {
    if (absl::StrContains(message, " bytes gmem")) {
      module_constant_bytes_ = ConstantBytes(message);
    } else if (absl::StartsWith(message, "Compiling entry function ")) {
      entry_ = std::string(Quoted(message));
      function_ = entry_;
      kernels_.try_emplace(entry_);
    } else if (absl::StartsWith(message, "Function properties for ")) {
      std::string_view name = message.substr(std::string_view("Function properties for ").size());
      if (absl::StartsWith(name, "'")) name = Quoted(name);
      function_ = std::string(absl::StripSuffix(name, ":"));
    } else if (absl::StartsWith(message, "Used ")) {
      Used(message);
    } else if (absl::StartsWith(message, "used ")) {
      LinkerUsed(message);
    }
  }

  // "400 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads", for the
  // function named last.
  void Properties(std::string_view line) {
    const int64_t stack = NumberBefore(line, " bytes stack frame").value_or(0);
    const int64_t stores = NumberBefore(line, " bytes spill stores").value_or(0);
    const int64_t loads = NumberBefore(line, " bytes spill loads").value_or(0);
    if (function_ == entry_ || kernels_.contains(function_)) {
      KernelResources& kernel = kernels_[function_];
      kernel.local_bytes = stack;
      kernel.spill_store_bytes += stores;
      kernel.spill_load_bytes += loads;
    } else if (kernels_.contains(entry_)) {
      kernels_[entry_].spill_store_bytes += stores;
      kernels_[entry_].spill_load_bytes += loads;
    } else if (stores != 0 || loads != 0) {
      // nvJitLink lists called functions before any kernel.
      orphans_.push_back(absl::StrCat("function '", function_, "' spills registers (", stores,
                                      " bytes stores, ", loads,
                                      " bytes loads); the kernels that call it are not known"));
    }
  }

  std::vector<KernelResources> Kernels() && {
    std::vector<KernelResources> kernels;
    for (auto& [name, kernel] : kernels_) {
      if (name.empty()) continue;
      kernel.name = name;
      if (kernel.constant_bytes != 0) kernel.constant_bytes += module_constant_bytes_;
      kernels.push_back(std::move(kernel));
    }
    return kernels;
  }

  const std::vector<std::string>& orphans() const { return orphans_; }

 private:
  // ptxas: "Used 32 registers, used 1 barriers, 400 bytes cumulative stack
  // size, 1024 bytes smem, 364 bytes cmem[0]".
  void Used(std::string_view line) {
    if (entry_.empty()) return;
    KernelResources& kernel = kernels_[entry_];
    kernel.registers = static_cast<int>(NumberAfter(line, "Used ").value_or(0));
    kernel.barriers = static_cast<int>(NumberAfter(line, "used ").value_or(0));
    kernel.static_shared_bytes = NumberBefore(line, " bytes smem").value_or(0);
    kernel.constant_bytes = ConstantBytes(line);
    assembled_.insert({entry_, true});
  }

  // The linker: "used 10 registers, used 1 barriers, 0 stack, 2048 bytes smem,
  // 556 bytes cmem[0], 0 bytes lmem". Its shared memory includes the system's
  // part and its barriers are not to be trusted, so what ptxas said stands; but
  // registers may grow when a kernel's callees become known.
  void LinkerUsed(std::string_view line) {
    if (function_.empty()) return;
    KernelResources& kernel = kernels_[function_];
    kernel.registers = std::max<int>(kernel.registers, NumberAfter(line, "used ").value_or(0));
    kernel.constant_bytes = std::max(kernel.constant_bytes, ConstantBytes(line));
    if (assembled_.contains(function_)) return;
    kernel.local_bytes = NumberBefore(line, " stack").value_or(0);
  }

  std::map<std::string, KernelResources> kernels_;  // ordered: it reaches the output
  std::map<std::string, bool> assembled_;
  std::vector<std::string> orphans_;
  std::string entry_;
  std::string function_;
  int64_t module_constant_bytes_ = 0;
};

// Turns error lines into one status.
class ErrorClassifier {
 public:
  explicit ErrorClassifier(const LogContext& context) : context_(context) {}

  void Add(const Diagnostic& diagnostic) {
    if (IsEcho(diagnostic.message)) {
      saw_echo_ = true;
      return;
    }
    if (Undefined(diagnostic.message)) return;
    if (special_.ok()) special_ = Special(diagnostic.message);
    AddText(diagnostic);
  }

  // Source lines and carets that follow a front end's error.
  void AddExcerpt(std::string_view line) {
    if (!texts_.empty() && texts_.size() <= kMaxDiagnostics) {
      absl::StrAppend(&texts_.back(), "\n", line);
    }
  }

  absl::Status Finish() const {
    if (!special_.ok()) return special_;
    if (!undefined_.empty()) {
      return absl::NotFoundError(
          absl::StrCat("undefined reference to ",
                       absl::StrJoin(undefined_, ", ",
                                     [](std::string* out, const std::string& name) {
                                       absl::StrAppend(out, "'", name, "'");
                                     }),
                       " in code for ", context_.target, ": add the object that defines ",
                       undefined_.size() == 1 ? "it" : "them",
                       " to the inputs, or declare the definition in the same source"));
    }
    if (count_ > 0) {
      std::string more;
      if (count_ > texts_.size())
        more = absl::StrCat("\n... and ", count_ - texts_.size(), " more");
      return absl::InvalidArgumentError(absl::StrCat("the code does not compile for ",
                                                     context_.target, ":\n",
                                                     absl::StrJoin(texts_, "\n"), more));
    }
    if (saw_echo_) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the code does not compile for ", context_.target, "; the tool gives no reason"));
    }
    return absl::OkStatus();
  }

 private:
  void AddText(const Diagnostic& diagnostic) {
    ++count_;
    if (texts_.size() >= kMaxDiagnostics) return;
    texts_.push_back(diagnostic.location.empty()
                         ? absl::StrCat("error: ", diagnostic.message)
                         : absl::StrCat(diagnostic.location, ": error: ", diagnostic.message));
  }

  bool Undefined(std::string_view message) {
    if (!absl::StartsWith(message, "Undefined reference to '") &&
        !absl::StartsWith(message, "Unresolved extern ")) {
      return false;
    }
    const std::string name(Quoted(message));
    if (std::find(undefined_.begin(), undefined_.end(), name) == undefined_.end()) {
      undefined_.push_back(name);
    }
    return true;
  }

  absl::Status Special(std::string_view message) const {
    if (auto status = UnknownTarget(message); !status.ok()) return status;
    if (auto status = IsaVersion(message); !status.ok()) return status;
    if (auto status = WrongTarget(message); !status.ok()) return status;
    if (auto status = Registers(message); !status.ok()) return status;
    return TooMuch(message);
  }

  // `Value 'sm_70' is not defined for option 'gpu-name'` (nvlink: 'arch').
  absl::Status UnknownTarget(std::string_view message) const {
    const bool assembler =
        absl::StartsWith(message, "Value '") &&
        absl::StrContains(message, "is not defined for option") &&
        (absl::EndsWith(message, "'gpu-name'") || absl::EndsWith(message, "'arch'"));
    if (!assembler && !absl::StartsWith(message, "NVJITLINK_ERROR_UNSUPPORTED_ARCH") &&
        !absl::StartsWith(message, "NVJITLINK_ERROR_UNRECOGNIZED_ARCH") &&
        !absl::StartsWith(message, "missing option value (-arch=") &&
        !absl::StartsWith(message, "invalid value for --gpu-architecture") &&
        !absl::EndsWith(message, "specified with --nv_arch flag") && !UnknownNvvmTarget(message)) {
      return absl::OkStatus();
    }
    std::string text = absl::StrCat("the compiler does not know the target ", context_.target);
    if (!context_.highest_target.empty()) {
      absl::StrAppend(&text, "; the highest that it knows is ", context_.highest_target);
    }
    return absl::UnimplementedError(
        absl::StrCat(text, ": use a toolkit that has the target (", message, ")"));
  }

  // libNVVM: "libnvvm : error: -arch=compute_70 is an unsupported option".
  static bool UnknownNvvmTarget(std::string_view message) {
    return absl::StartsWith(message, "-arch=") && absl::StrContains(message, "unsupported option");
  }

  absl::Status IsaVersion(std::string_view message) const {
    if (absl::StartsWith(message, "Unsupported .version ")) {
      std::string_view asked = message.substr(std::string_view("Unsupported .version ").size());
      asked = asked.substr(0, asked.find(';'));
      return absl::UnimplementedError(
          absl::StrCat("the PTX is of ISA ", asked, ", but the compiler reads PTX ISA up to ",
                       Quoted(message), ": compile for an older PTX ISA, or use a newer toolkit"));
    }
    if (absl::StartsWith(message, "PTX .version ") &&
        absl::StrContains(message, "does not support .target")) {
      return absl::InvalidArgumentError(
          absl::StrCat(message, ": raise the .version directive to one that has the target"));
    }
    return absl::OkStatus();
  }

  absl::Status WrongTarget(std::string_view message) const {
    if (message == "SM version specified by .target is higher than default SM version assumed") {
      return absl::InvalidArgumentError(
          absl::StrCat("the PTX is for a newer GPU than ", context_.target,
                       ": its .target directive names a higher compute capability"));
    }
    if (absl::StartsWith(message, "Unsupported .target '")) {
      return absl::UnimplementedError(
          absl::StrCat("the compiler does not know the PTX's .target '", Quoted(message),
                       "': use a toolkit that has the target, or write another one into the PTX"));
    }
    if (absl::StartsWith(message, "Program with .target '") ||
        absl::StartsWith(message, "PTX with .target '")) {
      const std::string_view code = Quoted(message);
      return absl::InvalidArgumentError(absl::StrCat(
          "the PTX is for ", code, ", which does not run on ", context_.target, ": code for ",
          absl::EndsWith(code, "f") ? "an 'f' target runs on its family alone"
                                    : "an 'a' target runs on that compute capability alone"));
    }
    if (absl::StrContains(message, "arch does not match target") ||
        absl::EndsWith(message, "binary format mismatch")) {
      return absl::InvalidArgumentError(
          absl::StrCat("an object is for another GPU than ", context_.target, ": ", message));
    }
    return absl::OkStatus();
  }

  absl::Status Registers(std::string_view message) const {
    if (!absl::StrContains(message, "Register allocation failed") &&
        !absl::StrContains(message, "Insufficient registers")) {
      return absl::OkStatus();
    }
    return absl::ResourceExhaustedError(absl::StrCat(
        "too few registers per thread on ", context_.target, ": ", message,
        " (raise max_registers, or lower the block size that the kernel is bounded to)"));
  }

  absl::Status TooMuch(std::string_view message) const {
    // "Entry function 'k' uses too much shared data (0x493e0 bytes, 0xc000 max)"
    const size_t at = message.find(" uses too much ");
    if (at != message.npos) {
      const auto asked = NumberAfter(message, " (");
      const auto available = NumberAfter(message, " bytes, ");
      if (asked.has_value() && available.has_value()) {
        std::string_view what = message.substr(at + std::string_view(" uses too much ").size());
        what = what.substr(0, what.find(" ("));
        return absl::ResourceExhaustedError(
            absl::StrCat(message.substr(0, at), " uses too much ", what, " for ", context_.target,
                         ": requested ", *asked, " bytes, available ", *available, " bytes"));
      }
    }
    // "Argument 1 of instruction 'tcgen05.alloc': value '1024' out of range,
    // expected to be in range [32..512]"
    if (absl::StrContains(message, "instruction 'tcgen05.alloc'")) {
      const auto asked = NumberAfter(message, "value '");
      const auto available = NumberAfter(message, "..");
      if (asked.has_value() && available.has_value() && *asked > *available) {
        return absl::ResourceExhaustedError(
            absl::StrCat("tcgen05.alloc takes too much tensor memory for ", context_.target,
                         ": requested ", *asked, " columns, available ", *available, " columns"));
      }
    }
    return absl::OkStatus();
  }

  const LogContext& context_;
  absl::Status special_;
  std::vector<std::string> undefined_;
  std::vector<std::string> texts_;
  size_t count_ = 0;
  bool saw_echo_ = false;
};

void AddOnce(std::vector<std::string>& list, std::string text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

}  // namespace

ParsedLog ParseCompilerLog(std::string_view log, const LogContext& context) {
  ParsedLog parsed;
  ResourceCollector resources;
  ErrorClassifier errors(context);
  bool in_front_end_error = false;  // its source line and caret follow
  for (std::string_view line : absl::StrSplit(log, '\n')) {
    line = absl::StripTrailingAsciiWhitespace(absl::StripSuffix(line, std::string_view("\0", 1)));
    if (!absl::ConsumePrefix(&line, "@O@")) absl::ConsumePrefix(&line, "@E@");  // nvJitLink 12
    if (absl::StrContains(line, " bytes stack frame, ")) {
      resources.Properties(line);
      continue;
    }
    const std::optional<Diagnostic> diagnostic = ParseLine(line);
    if (!diagnostic.has_value()) {
      if (line.empty()) in_front_end_error = false;
      if (in_front_end_error) errors.AddExcerpt(line);
      continue;
    }
    in_front_end_error = false;
    switch (diagnostic->severity) {
      case Severity::kInfo:
        resources.Info(diagnostic->message);
        // ptxas files advice on performance, which has a number, under "info".
        if (absl::StartsWith(diagnostic->message, "(C")) {
          AddOnce(parsed.warnings, std::string(diagnostic->message));
        }
        break;
      case Severity::kWarning:
        AddOnce(parsed.warnings,
                diagnostic->location.empty()
                    ? std::string(diagnostic->message)
                    : absl::StrCat(diagnostic->location, ": ", diagnostic->message));
        break;
      case Severity::kError:
        errors.Add(*diagnostic);
        in_front_end_error = absl::EndsWith(diagnostic->location, ")");
        break;
    }
  }
  for (const std::string& orphan : resources.orphans()) AddOnce(parsed.warnings, orphan);
  parsed.kernels = std::move(resources).Kernels();
  parsed.status = errors.Finish();
  return parsed;
}

}  // namespace warpyard::ptx
