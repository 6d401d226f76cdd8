// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Reads HLO text from left to right, and says where something is wrong.

#ifndef WARPYARD_CC_HLO_TEXT_READER_H_
#define WARPYARD_CC_HLO_TEXT_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace warpyard::hlo {

// A place in a text, with nothing copied: the text must outlive it. White space
// and comments (/* */ and //) are skipped before each word.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  // Takes `token` if it comes next. A word ("ROOT") must not go on behind it.
  bool Take(std::string_view token);
  bool Peek(std::string_view token);
  absl::Status Expect(std::string_view token);
  bool AtEnd();

  // [A-Za-z_][A-Za-z0-9_.-]*, the names of instructions, opcodes and attributes.
  // "" where there is none. A '-' is part of the word unless '>' follows.
  std::string_view TakeWord();
  absl::StatusOr<std::string_view> ExpectWord(std::string_view what);
  // A name with or without its '%'.
  absl::StatusOr<std::string_view> ExpectName(std::string_view what);
  // An integer with an optional minus.
  absl::StatusOr<int64_t> ExpectInteger();
  // "…" with its escapes undone as C does it (\n, \", \\, \t, \x1b, \033).
  absl::StatusOr<std::string> ExpectString();
  // Text up to, and without, the first of `stops` that stands outside of
  // brackets and strings. INVALID_ARGUMENT where brackets do not match.
  absl::StatusOr<std::string_view> TakeBalanced(std::string_view stops);
  // All up to the end of the line, which is taken too.
  std::string_view TakeLine();

  void SkipSpace();
  size_t offset() const { return at_; }
  void set_offset(size_t offset) { at_ = offset; }
  std::string_view text() const { return text_; }
  std::string_view rest() const { return text_.substr(at_); }
  char Next();  // the next letter, 0 at the end

  // INVALID_ARGUMENT "line 3, column 7: <message>", the line, and a caret under it.
  absl::Status Error(std::string_view message) const { return ErrorAt(at_, message); }
  absl::Status ErrorAt(size_t offset, std::string_view message) const;
  // "expected <expected>, found '…'" at the next word.
  absl::Status Unexpected(std::string_view expected);

 private:
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace warpyard::hlo

#endif  // WARPYARD_CC_HLO_TEXT_READER_H_
