// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The rule that no figure stands without its source.

#ifndef WARPYARD_CC_TARGET_FIGURE_SOURCES_H_
#define WARPYARD_CC_TARGET_FIGURE_SOURCES_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "cc/target/device_spec.pb.h"
#include "google/protobuf/message.h"

namespace warpyard {

// Holds `message`, called `name` in errors, to these rules:
//   - each field is either set, or listed in its `not_published`, and not both;
//   - each set field is covered by one of `sources` at least;
//   - sources and `not_published` name nothing that is no field, sources name
//     nothing that is unset, and every source has a kind, a document, a section
//     and fields.
// Fields in `exempt` (names that we gave, and the lists of sources themselves)
// need neither. INVALID_ARGUMENT names the message and every breach.
absl::Status CheckFigureSources(std::string_view name, const google::protobuf::Message& message,
                                const std::vector<target::Source>& sources,
                                const std::vector<std::string>& not_published,
                                const std::set<std::string>& exempt);

}  // namespace warpyard

#endif  // WARPYARD_CC_TARGET_FIGURE_SOURCES_H_
