// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/ptx_linker.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "cc/emulator/syntax/ast.h"
#include "cc/emulator/syntax/parser.h"

namespace warpyard::emulator::driver {
namespace {

using syntax::Linkage;

struct Definition {
  std::string name;
  Linkage linkage;
};

// What a module defines (not what it only declares).
std::vector<Definition> Definitions(const syntax::Module& module) {
  std::vector<Definition> definitions;
  std::set<std::string_view> seen;
  for (const syntax::Function& function : module.functions) {
    if (function.is_declaration || !seen.insert(function.name).second) continue;
    definitions.push_back({std::string(function.name), function.linkage});
  }
  for (const syntax::ModuleVariable& each : module.variables) {
    if (each.linkage == Linkage::kExtern || !seen.insert(each.variable.name).second) continue;
    definitions.push_back({std::string(each.variable.name), each.linkage});
  }
  return definitions;
}

bool BeginsIdentifier(char c) { return absl::ascii_isalpha(c) || c == '_' || c == '$' || c == '%'; }
bool ContinuesIdentifier(char c) {
  return absl::ascii_isalnum(c) || c == '_' || c == '$' || c == '%';
}

// The text with identifiers renamed and without the directives that only the
// first module may have. Comments and strings are kept.
std::string Rewrite(std::string_view text,
                    const absl::flat_hash_map<std::string, std::string>& renamed,
                    bool keep_header) {
  std::string out;
  out.reserve(text.size());
  size_t at = 0;
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    size_t length = 1;
    if (rest.starts_with("//")) {
      length = std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      const size_t end = rest.find("*/", 2);
      length = end == rest.npos ? rest.size() : end + 2;
    } else if (rest[0] == '"') {
      const size_t end = rest.find('"', 1);
      length = end == rest.npos ? rest.size() : end + 1;
    } else if (rest[0] == '.') {
      while (length < rest.size() && ContinuesIdentifier(rest[length])) ++length;
      const std::string_view word = rest.substr(0, length);
      if (!keep_header && (word == ".version" || word == ".target" || word == ".address_size")) {
        // They take the rest of their line; lines stay where they were.
        at += std::min(rest.find('\n'), rest.size());
        continue;
      }
    } else if (absl::ascii_isdigit(rest[0])) {
      while (length < rest.size() && ContinuesIdentifier(rest[length])) ++length;
    } else if (BeginsIdentifier(rest[0])) {
      while (length < rest.size() && ContinuesIdentifier(rest[length])) ++length;
      const auto found = renamed.find(rest.substr(0, length));
      if (found != renamed.end()) {
        out += found->second;
        at += length;
        continue;
      }
    }
    out += rest.substr(0, length);
    at += length;
  }
  return out;
}

std::string_view WithoutZero(std::string_view text) { return text.substr(0, text.find('\0')); }

}  // namespace

absl::StatusOr<std::string> LinkPtx(const std::vector<std::string>& modules) {
  if (modules.empty()) return absl::InvalidArgumentError("nothing to link");
  if (modules.size() == 1) return modules[0];
  std::vector<std::vector<Definition>> definitions;
  int isa = 0;
  for (size_t i = 0; i < modules.size(); ++i) {
    const absl::StatusOr<syntax::Module> module =
        syntax::Parse(std::string(WithoutZero(modules[i])));
    if (!module.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("module ", i + 1, ": ", module.status().message()));
    }
    isa = std::max(isa, module->isa_major * 10 + module->isa_minor);
    definitions.push_back(Definitions(*module));
  }
  // Names that more than one module mentions as its own or for all.
  std::map<std::string, std::vector<std::pair<size_t, Linkage>>> owners;
  for (size_t i = 0; i < modules.size(); ++i) {
    for (const Definition& definition : definitions[i]) {
      owners[definition.name].emplace_back(i, definition.linkage);
    }
  }
  std::vector<absl::flat_hash_map<std::string, std::string>> renamed(modules.size());
  for (const auto& [name, places] : owners) {
    if (places.size() < 2) continue;
    const std::pair<size_t, Linkage>* kept = nullptr;
    for (const auto& place : places) {
      const bool strong = place.second == Linkage::kVisible;
      if (strong && kept != nullptr && kept->second == Linkage::kVisible) {
        return absl::InvalidArgumentError(absl::StrCat("modules ", kept->first + 1, " and ",
                                                       place.first + 1, " both define ", name));
      }
      if (place.second == Linkage::kNone) continue;
      if (kept == nullptr || (strong && kept->second != Linkage::kVisible)) kept = &place;
    }
    for (const auto& place : places) {
      if (&place == kept) continue;
      renamed[place.first][name] = absl::StrCat(name, "$module", place.first + 1);
    }
  }
  std::string out = absl::StrCat(".version ", isa / 10, ".", isa % 10, "\n.target ",
                                 TargetOf(modules[0]), "\n.address_size 64\n");
  for (size_t i = 0; i < modules.size(); ++i) {
    absl::StrAppend(&out, Rewrite(WithoutZero(modules[i]), renamed[i], /*keep_header=*/false),
                    "\n");
  }
  return out;
}

std::string_view TargetOf(std::string_view ptx) {
  size_t at = 0;
  while ((at = ptx.find(".target", at)) != ptx.npos) {
    // Not one of a comment.
    const size_t line = ptx.rfind('\n', at) == ptx.npos ? 0 : ptx.rfind('\n', at) + 1;
    at += 7;
    if (!absl::StripAsciiWhitespace(ptx.substr(line, at - 7 - line)).empty()) continue;
    std::string_view rest = absl::StripLeadingAsciiWhitespace(ptx.substr(at));
    size_t length = 0;
    while (length < rest.size() && ContinuesIdentifier(rest[length])) ++length;
    return rest.substr(0, length);
  }
  return "";
}

}  // namespace warpyard::emulator::driver
