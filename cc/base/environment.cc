// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/environment.h"

#ifdef _WIN32
#include <stdlib.h>
#define WARPYARD_ENVIRON _environ
#else
#include <unistd.h>
#define WARPYARD_ENVIRON environ
#endif

namespace warpyard {

Environment Environment::FromProcess() {
  Variables variables;
  for (char** entry = WARPYARD_ENVIRON; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    // Windows keeps names such as "=C:", whose first character is the sign.
    const size_t equals = text.find('=', 1);
    if (equals == text.npos) continue;
    variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return Environment(std::move(variables));
}

std::optional<std::string> Environment::Get(std::string_view name) const {
  const auto found = variables_.find(name);
  if (found == variables_.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

}  // namespace warpyard
