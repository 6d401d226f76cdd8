// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/tensor_memory.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace warpyard::ptx {
namespace {

// Comments become blanks.
std::string WithoutComments(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  size_t at = 0;
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    size_t end;
    if (absl::StartsWith(rest, "//")) {
      end = text.find('\n', at);
    } else if (absl::StartsWith(rest, "/*")) {
      end = text.find("*/", at + 2);
      if (end != text.npos) end += 2;
    } else {
      out.push_back(text[at++]);
      continue;
    }
    out.push_back(' ');
    at = std::min(end, text.size());
  }
  return out;
}

// Decimal or hexadecimal, with or without a 'U' behind (PTX ISA, "Integer
// Constants").
std::optional<int64_t> Integer(std::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  absl::ConsumeSuffix(&text, "U");
  int64_t value;
  if (absl::ConsumePrefix(&text, "0x") || absl::ConsumePrefix(&text, "0X")) {
    return absl::SimpleHexAtoi(text, &value) ? std::optional(value) : std::nullopt;
  }
  return absl::SimpleAtoi(text, &value) ? std::optional(value) : std::nullopt;
}

// What one kernel does that matters here.
class Kernel {
 public:
  void Statement(std::string_view statement) {
    statement = absl::StripAsciiWhitespace(statement);
    // A guard, as in "@%p1 tcgen05.alloc ...".
    if (absl::StartsWith(statement, "@")) {
      statement.remove_prefix(std::min(statement.find_first_of(" \t\n"), statement.size()));
      statement = absl::StripAsciiWhitespace(statement);
    }
    const size_t space = statement.find_first_of(" \t\n");
    if (space == statement.npos) return;
    const std::string_view opcode = statement.substr(0, space);
    const std::vector<std::string_view> operands = absl::StrSplit(statement.substr(space), ',');
    if (absl::StartsWith(opcode, "tcgen05.alloc")) {
      if (operands.size() == 2) sizes_.emplace_back(absl::StripAsciiWhitespace(operands[1]));
      return;
    }
    const std::string destination(absl::StripAsciiWhitespace(operands[0]));
    const bool move = absl::StartsWith(opcode, "mov.") && operands.size() == 2;
    const std::optional<int64_t> value = move ? Integer(operands[1]) : std::nullopt;
    const auto [entry, first] = constants_.try_emplace(destination, value);
    if (!first) entry->second = std::nullopt;  // written twice
  }

  std::optional<int64_t> Columns() const {
    std::optional<int64_t> most;
    for (const std::string& size : sizes_) {
      std::optional<int64_t> value = Integer(size);
      if (const auto found = constants_.find(size); !value && found != constants_.end()) {
        value = found->second;
      }
      if (value.has_value()) most = std::max(most.value_or(0), *value);
    }
    return most;
  }

 private:
  std::map<std::string, std::optional<int64_t>> constants_;
  std::vector<std::string> sizes_;
};

}  // namespace

std::map<std::string, int64_t> TensorMemoryColumns(std::string_view ptx) {
  std::map<std::string, int64_t> columns;
  if (!absl::StrContains(ptx, "tcgen05.alloc")) return columns;
  const std::string text = WithoutComments(ptx);
  size_t at = 0;
  while ((at = text.find(".entry", at)) != text.npos) {
    at += std::string_view(".entry").size();
    size_t begin = at;
    while (begin < text.size() && absl::ascii_isspace(static_cast<unsigned char>(text[begin]))) {
      ++begin;
    }
    const size_t end = text.find_first_of("( \t\r\n{;", begin);
    const size_t open = text.find('{', begin);
    if (end == text.npos || open == text.npos) break;
    const std::string name = text.substr(begin, end - begin);
    // A declaration ends in a semicolon and has no body.
    if (text.find(';', begin) < open) continue;
    Kernel kernel;
    int depth = 1;
    size_t start = open + 1;
    size_t position = start;
    for (; position < text.size() && depth > 0; ++position) {
      switch (text[position]) {
        case ';':
          kernel.Statement(std::string_view(text).substr(start, position - start));
          start = position + 1;
          break;
        case '{':
          ++depth;
          // A scope, or a vector operand such as "{%r1, %r2}": only a scope
          // begins a statement.
          if (absl::StripAsciiWhitespace(std::string_view(text).substr(start, position - start))
                  .empty()) {
            start = position + 1;
          }
          break;
        case '}':
          --depth;
          if (absl::StripAsciiWhitespace(std::string_view(text).substr(start, position - start))
                  .empty()) {
            start = position + 1;
          }
          break;
        case ':':  // a label, unless it stands within "a::b"
          if ((position + 1 >= text.size() || text[position + 1] != ':') &&
              text[position - 1] != ':') {
            start = position + 1;
          }
          break;
      }
    }
    if (const std::optional<int64_t> most = kernel.Columns()) columns[name] = *most;
    at = position;
  }
  return columns;
}

}  // namespace warpyard::ptx
