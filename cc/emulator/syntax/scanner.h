// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Moves through PTX text: white space, comments, words, and where it is.

#ifndef WARPYARD_CC_EMULATOR_SYNTAX_SCANNER_H_
#define WARPYARD_CC_EMULATOR_SYNTAX_SCANNER_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator::syntax {

namespace scanner_internal {

enum CharClass : uint8_t { kSpace = 1, kWordStart = 2, kWord = 4, kDigit = 8, kHex = 16 };

struct ClassTable {
  uint8_t of[256] = {};
  constexpr ClassTable() {
    for (int c : {' ', '\t', '\r', '\n', '\v', '\f'}) of[c] |= kSpace;
    for (int c = 'a'; c <= 'z'; ++c) of[c] |= kWordStart | kWord;
    for (int c = 'A'; c <= 'Z'; ++c) of[c] |= kWordStart | kWord;
    for (int c = '0'; c <= '9'; ++c) of[c] |= kWord | kDigit | kHex;
    for (int c = 'a'; c <= 'f'; ++c) of[c] |= kHex;
    for (int c = 'A'; c <= 'F'; ++c) of[c] |= kHex;
    for (int c : {'_', '$', '%'}) of[c] |= kWordStart | kWord;
  }
};
inline constexpr ClassTable kClasses;

}  // namespace scanner_internal

inline bool IsSpace(char c) {
  return scanner_internal::kClasses.of[static_cast<uint8_t>(c)] & scanner_internal::kSpace;
}
inline bool IsWordStart(char c) {
  return scanner_internal::kClasses.of[static_cast<uint8_t>(c)] & scanner_internal::kWordStart;
}
inline bool IsWord(char c) {
  return scanner_internal::kClasses.of[static_cast<uint8_t>(c)] & scanner_internal::kWord;
}
inline bool IsDigit(char c) {
  return scanner_internal::kClasses.of[static_cast<uint8_t>(c)] & scanner_internal::kDigit;
}
inline bool IsHexDigit(char c) {
  return scanner_internal::kClasses.of[static_cast<uint8_t>(c)] & scanner_internal::kHex;
}

// A place in a text. Cheap to copy: a copy is how the parser looks ahead. Every
// reading function leaves it behind the white space and comments that follow,
// so that Peek() is always the first character of something. Not owning.
class Scanner {
 public:
  // `text` must be followed by a byte that may be read (std::string's zero).
  explicit Scanner(std::string_view text)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()), line_start_(at_) {
    SkipSpace();
  }

  bool AtEnd() const { return at_ == end_; }
  // The current character; 0 at the end.
  char Peek() const { return at_ == end_ ? '\0' : *at_; }
  // The character `n` further; 0 beyond the end.
  char PeekAt(int n) const { return end_ - at_ > n ? at_[n] : '\0'; }
  const char* cursor() const { return at_; }
  Position position() const { return Position{line_, static_cast<int>(at_ - line_start_) + 1}; }

  // Takes `c` if it comes next.
  bool Eat(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    SkipSpace();
    return true;
  }
  // Takes `text`, made of several characters.
  bool Eat(std::string_view text);

  // A name: letters, digits, _ $ %, not beginning with a digit; "" if none comes.
  std::string_view Word();
  // ".visible", "." not included; "" (and nothing taken) unless a letter, a
  // digit or _ follows the dot.
  std::string_view DotWord();
  // The word that DotWord would give, nothing taken.
  std::string_view PeekDotWord() const;
  // "name" of ".name" where the modifier may hold "::": "shared::cta". Nothing
  // is skipped behind it if another dot follows.
  std::string_view Modifier();
  // Letters, digits, dots and signs of a number as far as they reach.
  std::string_view NumberText();
  // "text" with quotes; the quotes are not included, escapes are left as they
  // are. Sets *ok to false where the closing one lacks.
  std::string_view Quoted(bool* ok);
  // Goes behind the end of the line.
  void SkipLine();
  // Moves on by `n` characters, none of them a line end.
  void Advance(int n) {
    at_ += n;
    SkipSpace();
  }
  // Moves on by one character, whatever it is.
  void AdvanceRaw() {
    if (*at_ == '\n') NewLine();
    ++at_;
  }
  void SkipSpace() {
    if (at_ != end_ && (IsSpace(*at_) || *at_ == '/' || *at_ == '#')) SkipSpaceSlow();
  }

  // INVALID_ARGUMENT: "line 3, column 5: expected ';', found 'x'".
  absl::Status Expected(std::string_view what) const;
  // INVALID_ARGUMENT: "line 3, column 5: message", of here or of `position`.
  absl::Status Error(std::string_view message) const { return ErrorAt(position(), message); }
  static absl::Status ErrorAt(Position position, std::string_view message);

 private:
  void SkipSpaceSlow();
  void NewLine() {
    ++line_;
    line_start_ = at_ + 1;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* line_start_;
  int line_ = 1;
};

}  // namespace warpyard::emulator::syntax

#endif  // WARPYARD_CC_EMULATOR_SYNTAX_SCANNER_H_
