// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Bytes from outside as Python strings.

#ifndef WARPYARD_CC_BINDINGS_TEXT_H_
#define WARPYARD_CC_BINDINGS_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "nanobind/nanobind.h"

namespace warpyard::bindings {

// Compilers quote sources and symbols, which may hold any bytes: those that are
// not UTF-8 become U+FFFD.
inline nanobind::str Text(std::string_view bytes) {
  return nanobind::steal<nanobind::str>(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

inline std::vector<nanobind::str> Texts(const std::vector<std::string>& lines) {
  std::vector<nanobind::str> texts;
  texts.reserve(lines.size());
  for (const std::string& line : lines) texts.push_back(Text(line));
  return texts;
}

}  // namespace warpyard::bindings

#endif  // WARPYARD_CC_BINDINGS_TEXT_H_
