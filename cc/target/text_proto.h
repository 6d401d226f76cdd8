// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Text protos, with errors that say where.

#ifndef WARPYARD_CC_TARGET_TEXT_PROTO_H_
#define WARPYARD_CC_TARGET_TEXT_PROTO_H_

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/message.h"

namespace warpyard {

// Fills `message` from `text`. INVALID_ARGUMENT begins with `name`, the line
// and the column, both from 1.
absl::Status ParseTextProtoInto(std::string_view name, std::string_view text,
                                google::protobuf::Message* message);

template <typename T>
absl::StatusOr<T> ParseTextProto(std::string_view name, std::string_view text) {
  T message;
  if (absl::Status status = ParseTextProtoInto(name, text, &message); !status.ok()) return status;
  return message;
}

}  // namespace warpyard

#endif  // WARPYARD_CC_TARGET_TEXT_PROTO_H_
