// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A text file that embed_text (embed.bzl) linked into the program.

#ifndef WARPYARD_CC_TARGET_EMBEDDED_FILE_H_
#define WARPYARD_CC_TARGET_EMBEDDED_FILE_H_

#include <string_view>

namespace warpyard {

struct EmbeddedFile {
  std::string_view name;  // file name without its folder: "h100.textproto"
  std::string_view contents;
};

}  // namespace warpyard

#endif  // WARPYARD_CC_TARGET_EMBEDDED_FILE_H_
