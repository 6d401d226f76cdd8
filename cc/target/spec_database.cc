// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/spec_database.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "cc/target/compute_capability.h"
#include "cc/target/device_spec.h"
#include "cc/target/device_spec.pb.h"
#include "cc/target/embedded_file.h"
#include "cc/target/embedded_generations.h"
#include "cc/target/embedded_specs.h"
#include "cc/target/generation.h"
#include "cc/target/text_proto.h"

namespace warpyard {
namespace {

// How many letters must be inserted, removed or replaced to turn one into the
// other (Levenshtein).
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

// Names are short: what is much longer resembles none, and is not worth the
// quadratic time.
constexpr size_t kMaxComparedName = 32;
constexpr size_t kMaxQuoted = 64;

}  // namespace

absl::StatusOr<std::unique_ptr<SpecDatabase>> SpecDatabase::FromText(
    std::string_view generations, absl::Span<const EmbeddedFile> specs) {
  auto database = std::unique_ptr<SpecDatabase>(new SpecDatabase());

  absl::StatusOr<target::GenerationsProto> generations_proto =
      ParseTextProto<target::GenerationsProto>("generations.textproto", generations);
  if (!generations_proto.ok()) return generations_proto.status();
  const std::vector<target::SharedSource> shared_sources(
      generations_proto->shared_sources().begin(), generations_proto->shared_sources().end());
  for (const target::GenerationProto& proto : generations_proto->generations()) {
    absl::StatusOr<Generation> generation = GenerationFromProto(proto, shared_sources);
    if (!generation.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("generations.textproto: ", generation.status().message()));
    }
    if (database->FindGeneration(generation->compute_capability) != nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("generations.textproto: generation ",
                                                     generation->compute_capability.ToString(),
                                                     " stands there twice"));
    }
    database->generations_.push_back(*std::move(generation));
  }
  std::sort(database->generations_.begin(), database->generations_.end(),
            [](const Generation& a, const Generation& b) {
              return a.compute_capability < b.compute_capability;
            });

  std::map<std::string, std::string> file_of_name;
  for (const EmbeddedFile& file : specs) {
    absl::StatusOr<target::DeviceSpecProto> proto =
        ParseTextProto<target::DeviceSpecProto>(file.name, file.contents);
    if (!proto.ok()) return proto.status();
    absl::StatusOr<DeviceSpec> spec = DeviceSpecFromProto(*proto, database->generations_);
    if (!spec.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(file.name, ": ", spec.status().message()));
    }
    std::vector<std::string> names = spec->aliases;
    names.push_back(spec->name);
    for (const std::string& name : names) {
      const auto [other, inserted] = file_of_name.emplace(name, file.name);
      if (!inserted) {
        return absl::InvalidArgumentError(
            absl::StrCat(file.name, ": the name \"", name, "\" is taken by ", other->second));
      }
    }
    database->specs_.push_back(*std::move(spec));
  }
  std::sort(database->specs_.begin(), database->specs_.end(),
            [](const DeviceSpec& a, const DeviceSpec& b) {
              return std::tie(a.compute_capability(), a.name) <
                     std::tie(b.compute_capability(), b.name);
            });
  return database;
}

const SpecDatabase& SpecDatabase::Embedded() {
  // Never destroyed: specs are handed out as pointers, to threads that may
  // outlive main.
  static const SpecDatabase* const database = [] {
    absl::StatusOr<std::unique_ptr<SpecDatabase>> read =
        FromText(EmbeddedGenerations().front().contents, EmbeddedSpecs());
    CHECK(read.ok()) << read.status();
    return read->release();
  }();
  return *database;
}

absl::StatusOr<const DeviceSpec*> SpecDatabase::FindByName(std::string_view name) const {
  const std::string wanted = absl::AsciiStrToLower(name);
  const DeviceSpec* nearest = nullptr;
  size_t nearest_distance = 0;
  for (const DeviceSpec& spec : specs_) {
    std::vector<std::string> names = spec.aliases;
    names.insert(names.begin(), spec.name);
    for (const std::string& candidate : names) {
      if (candidate == wanted) return &spec;
      if (wanted.size() > kMaxComparedName) continue;
      const size_t distance = EditDistance(wanted, candidate);
      if (nearest == nullptr || distance < nearest_distance) {
        nearest = &spec;
        nearest_distance = distance;
      }
    }
  }
  std::string message = absl::StrCat("unknown GPU \"", absl::CHexEscape(name.substr(0, kMaxQuoted)),
                                     name.size() > kMaxQuoted ? "...\"" : "\"");
  // A name of which a third and more is wrong is no misspelling.
  if (nearest != nullptr && 3 * nearest_distance < wanted.size()) {
    absl::StrAppend(&message, "; did you mean ", nearest->name, "?");
  } else {
    absl::StrAppend(&message, ".");
  }
  absl::StrAppend(&message, " Known GPUs: ", Names());
  return absl::NotFoundError(message);
}

std::vector<const DeviceSpec*> SpecDatabase::ByComputeCapability(
    const ComputeCapability& cc) const {
  std::vector<const DeviceSpec*> found;
  for (const DeviceSpec& spec : specs_) {
    if (spec.compute_capability() == cc.Plain()) found.push_back(&spec);
  }
  return found;
}

const Generation* SpecDatabase::FindGeneration(const ComputeCapability& cc) const {
  for (const Generation& generation : generations_) {
    if (generation.compute_capability == cc.Plain()) return &generation;
  }
  return nullptr;
}

std::string SpecDatabase::Names() const {
  return absl::StrJoin(specs_, ", ",
                       [](std::string* out, const DeviceSpec& spec) { out->append(spec.name); });
}

}  // namespace warpyard
