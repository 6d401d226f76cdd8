// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/figure_sources.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/target/device_spec.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace warpyard {

absl::Status CheckFigureSources(std::string_view name, const google::protobuf::Message& message,
                                const std::vector<target::Source>& sources,
                                const std::vector<std::string>& not_published,
                                const std::set<std::string>& exempt) {
  const google::protobuf::Descriptor& descriptor = *message.GetDescriptor();
  const google::protobuf::Reflection& reflection = *message.GetReflection();

  std::set<std::string> set_fields;
  std::set<std::string> unset_fields;
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const google::protobuf::FieldDescriptor& field = *descriptor.field(i);
    const std::string field_name(field.name());
    if (exempt.contains(field_name)) continue;
    const bool set = field.is_repeated() ? reflection.FieldSize(message, &field) > 0
                                         : reflection.HasField(message, &field);
    (set ? set_fields : unset_fields).insert(field_name);
  }

  std::vector<std::string> breaches;
  std::set<std::string> covered;
  for (const target::Source& source : sources) {
    if (source.kind() == target::Source::KIND_UNSPECIFIED || source.document().empty() ||
        source.section().empty() || source.fields().empty()) {
      breaches.push_back(absl::StrCat("source \"", source.document(),
                                      "\" lacks a kind, a document, a section or fields"));
    }
    for (const std::string& field : source.fields()) {
      if (!set_fields.contains(field)) {
        breaches.push_back(absl::StrCat(
            "source \"", source.document(), "\" names ", field,
            unset_fields.contains(field) ? ", which is unset" : ", which is no figure"));
      }
      covered.insert(field);
    }
  }
  for (const std::string& field : set_fields) {
    if (!covered.contains(field)) breaches.push_back(absl::StrCat(field, " has no source"));
  }

  std::set<std::string> unpublished;
  for (const std::string& field : not_published) {
    if (set_fields.contains(field)) {
      breaches.push_back(absl::StrCat(field, " is set and listed as not published"));
    } else if (!unset_fields.contains(field)) {
      breaches.push_back(absl::StrCat("not_published names ", field, ", which is no figure"));
    }
    if (!unpublished.insert(field).second) {
      breaches.push_back(absl::StrCat("not_published names ", field, " twice"));
    }
  }
  for (const std::string& field : unset_fields) {
    if (!unpublished.contains(field)) {
      breaches.push_back(absl::StrCat(field, " is neither set nor listed as not published"));
    }
  }

  if (breaches.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(name, ": ", absl::StrJoin(breaches, "; ")));
}

}  // namespace warpyard
