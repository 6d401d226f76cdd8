// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Environment variables as a value, so that code which reads them can be
// tested without touching the process's own.

#ifndef WARPYARD_CC_BASE_ENVIRONMENT_H_
#define WARPYARD_CC_BASE_ENVIRONMENT_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace warpyard {

class Environment {
 public:
  using Variables = std::map<std::string, std::string, std::less<>>;

  // No variable is set.
  Environment() = default;
  explicit Environment(Variables variables) : variables_(std::move(variables)) {}

  // A snapshot of the process's variables. Must not run while another thread
  // changes them, as is so for getenv() itself.
  static Environment FromProcess();

  // nullopt when the variable is not set or set to nothing: users unset a
  // variable in either way.
  std::optional<std::string> Get(std::string_view name) const;

 private:
  Variables variables_;
};

}  // namespace warpyard

#endif  // WARPYARD_CC_BASE_ENVIRONMENT_H_
