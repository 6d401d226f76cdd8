// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/hlo/text_reader.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace warpyard::hlo {
namespace {

bool IsWordStart(char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool IsWordPart(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
}

// A line of a program that was printed on one line is too long to show.
constexpr size_t kShownAround = 60;

}  // namespace

void TextReader::SkipSpace() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (absl::ascii_isspace(static_cast<unsigned char>(c))) {
      ++at_;
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '*') {
      const size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      return;
    }
  }
}

char TextReader::Next() {
  SkipSpace();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool TextReader::Peek(std::string_view token) {
  SkipSpace();
  if (text_.substr(at_, token.size()) != token) return false;
  const size_t end = at_ + token.size();
  return !IsWordPart(token.back()) || end == text_.size() || !IsWordPart(text_[end]);
}

bool TextReader::Take(std::string_view token) {
  if (!Peek(token)) return false;
  at_ += token.size();
  return true;
}

absl::Status TextReader::Expect(std::string_view token) {
  if (Take(token)) return absl::OkStatus();
  return Unexpected(absl::StrCat("'", token, "'"));
}

bool TextReader::AtEnd() {
  SkipSpace();
  return at_ == text_.size();
}

std::string_view TextReader::TakeWord() {
  SkipSpace();
  const size_t begin = at_;
  if (at_ == text_.size() || !IsWordStart(text_[at_])) return {};
  while (at_ < text_.size() && IsWordPart(text_[at_])) {
    if (text_[at_] == '-' && at_ + 1 < text_.size() && text_[at_ + 1] == '>') break;
    ++at_;
  }
  return text_.substr(begin, at_ - begin);
}

absl::StatusOr<std::string_view> TextReader::ExpectWord(std::string_view what) {
  const std::string_view word = TakeWord();
  if (word.empty()) return Unexpected(what);
  return word;
}

absl::StatusOr<std::string_view> TextReader::ExpectName(std::string_view what) {
  if (Next() == '%') {
    // Behind the sign a name may begin with a digit too.
    const size_t begin = ++at_;
    while (at_ < text_.size() && IsWordPart(text_[at_])) {
      if (text_[at_] == '-' && at_ + 1 < text_.size() && text_[at_ + 1] == '>') break;
      ++at_;
    }
    if (at_ == begin) return Unexpected(what);
    return text_.substr(begin, at_ - begin);
  }
  return ExpectWord(what);
}

absl::StatusOr<int64_t> TextReader::ExpectInteger() {
  SkipSpace();
  size_t end = at_;
  if (end < text_.size() && text_[end] == '-') ++end;
  const size_t digits = end;
  while (end < text_.size() && absl::ascii_isdigit(static_cast<unsigned char>(text_[end]))) ++end;
  if (end == digits) return Unexpected("an integer");
  int64_t value;
  if (!absl::SimpleAtoi(text_.substr(at_, end - at_), &value)) {
    return Error(absl::StrCat(text_.substr(at_, end - at_), " does not fit 64 bits"));
  }
  at_ = end;
  return value;
}

absl::StatusOr<std::string> TextReader::ExpectString() {
  if (Next() != '"') return Unexpected("a string");
  size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
  if (end >= text_.size()) return Error("the string does not end");
  std::string value, error;
  if (!absl::CUnescape(text_.substr(at_ + 1, end - at_ - 1), &value, &error)) {
    return Error(absl::StrCat("bad escape in the string: ", error));
  }
  at_ = end + 1;
  return value;
}

absl::StatusOr<std::string_view> TextReader::TakeBalanced(std::string_view stops) {
  SkipSpace();
  const size_t begin = at_;
  std::string open;  // the closing brackets that are due
  size_t at = at_;
  while (at < text_.size()) {
    const char c = text_[at];
    if (open.empty() && stops.find(c) != std::string_view::npos) break;
    if (c == '"') {
      const size_t start = at++;
      while (at < text_.size() && text_[at] != '"') at += text_[at] == '\\' ? 2 : 1;
      if (at >= text_.size()) return ErrorAt(start, "the string does not end");
    } else if (c == '{' || c == '[' || c == '(') {
      open.push_back(c == '{' ? '}' : c == '[' ? ']' : ')');
    } else if (c == '}' || c == ']' || c == ')') {
      if (open.empty() || open.back() != c) {
        return ErrorAt(at, absl::StrCat("'", std::string(1, c), "' closes nothing"));
      }
      open.pop_back();
    }
    ++at;
  }
  if (!open.empty()) {
    return ErrorAt(begin, absl::StrCat("'", std::string(1, open.back()), "' is missing"));
  }
  at_ = at;
  return absl::StripTrailingAsciiWhitespace(text_.substr(begin, at - begin));
}

std::string_view TextReader::TakeLine() {
  const size_t end = std::min(text_.find('\n', at_), text_.size());
  const std::string_view line = text_.substr(at_, end - at_);
  at_ = std::min(end + 1, text_.size());
  return line;
}

absl::Status TextReader::ErrorAt(size_t offset, std::string_view message) const {
  offset = std::min(offset, text_.size());
  const std::string_view before = text_.substr(0, offset);
  const int64_t line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t newline = before.rfind('\n');
  const size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
  const size_t column = offset - line_begin;
  const size_t line_end = std::min(text_.find('\n', offset), text_.size());
  const size_t shown_begin = column > kShownAround ? offset - kShownAround : line_begin;
  const size_t shown_end = std::min(line_end, offset + kShownAround);
  std::string shown(text_.substr(shown_begin, shown_end - shown_begin));
  for (char& c : shown) {
    if (!absl::ascii_isprint(static_cast<unsigned char>(c))) c = c == '\t' ? ' ' : '?';
  }
  return absl::InvalidArgumentError(absl::StrCat("line ", line, ", column ", column + 1, ": ",
                                                 message, "\n  ", shown, "\n  ",
                                                 std::string(offset - shown_begin, ' '), "^"));
}

absl::Status TextReader::Unexpected(std::string_view expected) {
  SkipSpace();
  if (at_ >= text_.size()) return Error(absl::StrCat("expected ", expected, ", found the end"));
  size_t end = at_ + 1;
  if (IsWordPart(text_[at_])) {
    while (end < text_.size() && IsWordPart(text_[end]) && end - at_ < 40) ++end;
  }
  return Error(absl::StrCat("expected ", expected, ", found '",
                            absl::CHexEscape(text_.substr(at_, end - at_)), "'"));
}

}  // namespace warpyard::hlo
