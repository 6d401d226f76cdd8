// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/linkage.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/ptx/elf64.h"
#include "cc/ptx/forms.h"

namespace warpyard::ptx {
namespace {

constexpr uint16_t kMachineCuda = 190;  // EM_CUDA
constexpr uint8_t kObject = 1;          // STT_OBJECT

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

// Cuts PTX into words (names, directives, numbers) and single other characters;
// comments and strings are passed over. Empty at the end.
class PtxWords {
 public:
  explicit PtxWords(std::string_view text) : text_(text) {}

  std::string_view Next() {
    for (;;) {
      text_ = absl::StripLeadingAsciiWhitespace(text_);
      if (absl::StartsWith(text_, "//")) {
        text_.remove_prefix(std::min(text_.size(), text_.find('\n')));
      } else if (absl::StartsWith(text_, "/*")) {
        Skip(text_.find("*/", 2), 2);
      } else if (absl::StartsWith(text_, "\"")) {
        Skip(text_.find('"', 1), 1);
      } else {
        break;
      }
    }
    size_t length = 0;
    while (length < text_.size() && IsNameCharacter(text_[length])) ++length;
    length = std::max(length, std::min<size_t>(1, text_.size()));
    const std::string_view word = text_.substr(0, length);
    text_.remove_prefix(length);
    return word;
  }

 private:
  void Skip(size_t end, size_t closing) {
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + closing);
  }

  std::string_view text_;
};

// A statement at module scope, up to its body, initialiser or semicolon.
struct Statement {
  bool visible = false;
  bool shared_definition = false;  // .extern, .weak or .common
  bool function = false;
  std::string_view name;

  void Clear() { *this = {}; }
};

// Words of a statement that its name is not among.
bool IsName(std::string_view word) {
  const char first = word.front();
  return first != '.' && IsNameCharacter(first) &&
         !absl::ascii_isdigit(static_cast<unsigned char>(first));
}

}  // namespace

std::vector<std::string> StrongPtxDefinitions(std::string_view ptx) {
  std::vector<std::string> names;
  PtxWords words(ptx);
  Statement statement;
  int braces = 0;       // open `{`: inside a function or an initialiser
  int parentheses = 0;  // open `(`: inside a parameter list
  bool assigned = false;

  auto define = [&](bool has_body) {
    const bool defines = statement.visible && !statement.shared_definition &&
                         (!statement.function || has_body) && !statement.name.empty();
    if (defines) names.emplace_back(statement.name);
    statement.Clear();
    assigned = false;
  };
  for (std::string_view word = words.Next(); !word.empty(); word = words.Next()) {
    if (word == "{") {
      // An initialiser's braces belong to a statement that ends later.
      if (braces++ == 0 && !assigned) define(/*has_body=*/true);
      continue;
    }
    if (word == "}") {
      braces = std::max(0, braces - 1);
      continue;
    }
    if (braces > 0) continue;
    if (word == "(" || word == ")") {
      parentheses = std::max(0, parentheses + (word == "(" ? 1 : -1));
    } else if (parentheses > 0) {
      continue;
    } else if (word == ";") {
      define(/*has_body=*/false);
    } else if (word == "=") {
      assigned = true;
    } else if (word == ".version" || word == ".target" || word == ".address_size" ||
               word == ".file" || word == ".section") {
      statement.Clear();  // These end without a semicolon.
    } else if (word == ".visible") {
      statement.Clear();
      statement.visible = true;
    } else if (word == ".extern" || word == ".weak" || word == ".common") {
      statement.shared_definition = true;
    } else if (word == ".entry" || word == ".func") {
      statement.function = true;
    } else if (statement.visible && !assigned && statement.name.empty() && IsName(word)) {
      statement.name = word;
    }
  }
  return names;
}

absl::StatusOr<std::vector<std::string>> StrongCubinDefinitions(std::string_view cubin) {
  WARPYARD_ASSIGN_OR_RETURN(const Elf64View elf, Elf64View::Parse(cubin));
  if (elf.machine() != kMachineCuda) {
    return absl::InvalidArgumentError(
        absl::StrCat("an ELF file for machine ", elf.machine(), ", not for CUDA (190)"));
  }
  std::vector<std::string> names;
  for (const ElfSymbol& symbol : elf.symbols()) {
    const bool defined =
        symbol.section != ElfSymbol::kUndefined && symbol.section < ElfSymbol::kReserved;
    const bool code_or_data = symbol.type == ElfSymbol::kFunction || symbol.type == kObject;
    if (symbol.binding == ElfSymbol::kGlobal && defined && code_or_data && !symbol.name.empty()) {
      names.emplace_back(symbol.name);
    }
  }
  return names;
}

absl::Status CheckLinkInputs(const CompileRequest& request) {
  // From symbol to the index of the first input that defines it.
  std::map<std::string, size_t> definitions;
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const Input& input = request.inputs[i];
    std::vector<std::string> names;
    if (input.kind == InputKind::kCubin) {
      absl::StatusOr<Elf64View> elf = Elf64View::Parse(input.bytes);
      if (!elf.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat(InputName(request, i), " is not a CUBIN: ", elf.status().message()));
      }
      absl::StatusOr<std::vector<std::string>> defined = StrongCubinDefinitions(input.bytes);
      if (!defined.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat(InputName(request, i), " is not a CUBIN: ", defined.status().message()));
      }
      if (elf->type() != Elf64View::kRelocatable) {
        return absl::InvalidArgumentError(absl::StrCat(
            InputName(request, i),
            " is a finished CUBIN, to which nothing can be linked: compile its source with "
            "relocatable device code"));
      }
      names = *std::move(defined);
    } else if (input.kind == InputKind::kPtx && request.inputs.size() > 1) {
      names = StrongPtxDefinitions(input.bytes);
    }
    for (std::string& name : names) {
      const auto [found, inserted] = definitions.try_emplace(std::move(name), i);
      if (!inserted && found->second != i) {
        return absl::InvalidArgumentError(absl::StrCat("'", found->first, "' is defined in ",
                                                       InputName(request, found->second),
                                                       " and again in ", InputName(request, i)));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace warpyard::ptx
