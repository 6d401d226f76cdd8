// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/syntax/scanner.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace warpyard::emulator::syntax {

void Scanner::SkipSpaceSlow() {
  while (at_ != end_) {
    if (IsSpace(*at_)) {
      if (*at_ == '\n') NewLine();
      ++at_;
    } else if (*at_ == '#' || (*at_ == '/' && PeekAt(1) == '/')) {  // '#': a line marker
      while (at_ != end_ && *at_ != '\n') ++at_;
    } else if (*at_ == '/' && PeekAt(1) == '*') {
      at_ += 2;
      while (at_ != end_ && !(*at_ == '*' && PeekAt(1) == '/')) {
        if (*at_ == '\n') NewLine();
        ++at_;
      }
      at_ = end_ - at_ < 2 ? end_ : at_ + 2;
    } else {
      return;
    }
  }
}

bool Scanner::Eat(std::string_view text) {
  if (static_cast<size_t>(end_ - at_) < text.size()) return false;
  if (std::string_view(at_, text.size()) != text) return false;
  Advance(static_cast<int>(text.size()));
  return true;
}

std::string_view Scanner::Word() {
  if (at_ == end_ || !IsWordStart(*at_)) return {};
  const char* start = at_;
  do {
    ++at_;
  } while (at_ != end_ && IsWord(*at_));
  const std::string_view word(start, at_ - start);
  SkipSpace();
  return word;
}

std::string_view Scanner::PeekDotWord() const {
  if (at_ == end_ || *at_ != '.') return {};
  const char* stop = at_ + 1;
  while (stop != end_ && IsWord(*stop)) ++stop;
  return std::string_view(at_ + 1, stop - at_ - 1);
}

std::string_view Scanner::DotWord() {
  const std::string_view word = PeekDotWord();
  if (!word.empty()) Advance(static_cast<int>(word.size()) + 1);
  return word;
}

std::string_view Scanner::Modifier() {
  if (at_ == end_ || *at_ != '.') return {};
  const char* start = at_ + 1;
  const char* stop = start;
  while (stop != end_) {
    if (IsWord(*stop)) {
      ++stop;
    } else if (*stop == ':' && end_ - stop > 2 && stop[1] == ':' && IsWord(stop[2])) {
      stop += 2;
    } else {
      break;
    }
  }
  if (stop == start) return {};
  at_ = stop;
  SkipSpace();
  return std::string_view(start, stop - start);
}

std::string_view Scanner::NumberText() {
  const char* start = at_;
  const bool hex = at_ != end_ && *at_ == '0' && (PeekAt(1) == 'x' || PeekAt(1) == 'X');
  while (at_ != end_) {
    if (IsWord(*at_) && *at_ != '%' && *at_ != '$') {
      ++at_;
    } else if (*at_ == '.' && !hex) {
      ++at_;
    } else if ((*at_ == '+' || *at_ == '-') && !hex && at_ != start &&
               (at_[-1] == 'e' || at_[-1] == 'E') && end_ - at_ > 1 && IsDigit(at_[1])) {
      ++at_;  // of an exponent
    } else {
      break;
    }
  }
  const std::string_view text(start, at_ - start);
  SkipSpace();
  return text;
}

std::string_view Scanner::Quoted(bool* ok) {
  *ok = false;
  if (at_ == end_ || *at_ != '"') return {};
  const char* start = ++at_;
  while (at_ != end_ && *at_ != '"' && *at_ != '\n') {
    at_ += *at_ == '\\' && end_ - at_ > 1 && at_[1] != '\n' ? 2 : 1;
  }
  const std::string_view text(start, at_ - start);
  if (at_ != end_ && *at_ == '"') {
    *ok = true;
    ++at_;
    SkipSpace();
  }
  return text;
}

void Scanner::SkipLine() {
  while (at_ != end_ && *at_ != '\n') ++at_;
  SkipSpace();
}

absl::Status Scanner::ErrorAt(Position position, std::string_view message) {
  return absl::InvalidArgumentError(
      absl::StrCat("line ", position.line, ", column ", position.column, ": ", message));
}

absl::Status Scanner::Expected(std::string_view what) const {
  if (AtEnd()) return Error(absl::StrCat("expected ", what, ", found the end of the text"));
  const char* stop = at_;
  while (stop != end_ && IsWord(*stop) && stop - at_ < 40) ++stop;
  if (stop == at_) ++stop;
  return Error(absl::StrCat("expected ", what, ", found '",
                            absl::CHexEscape(std::string_view(at_, stop - at_)), "'"));
}

}  // namespace warpyard::emulator::syntax
