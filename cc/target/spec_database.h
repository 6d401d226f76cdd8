// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The GPUs that Warpyard knows, linked into the program.

#ifndef WARPYARD_CC_TARGET_SPEC_DATABASE_H_
#define WARPYARD_CC_TARGET_SPEC_DATABASE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/target/compute_capability.h"
#include "cc/target/device_spec.h"
#include "cc/target/embedded_file.h"
#include "cc/target/generation.h"

namespace warpyard {

// Immutable, and so safe to use from many threads. Pointers and references
// that it gives live as long as it does; those of Embedded() for ever.
class SpecDatabase {
 public:
  // The database of generations.textproto and specs/*.textproto, read from the
  // program itself on first use.
  static const SpecDatabase& Embedded();

  // Reads the text of a GenerationsProto and of one DeviceSpecProto per file.
  // INVALID_ARGUMENT names the file and what is wrong with it; two specs may
  // not share a name or an alias.
  static absl::StatusOr<std::unique_ptr<SpecDatabase>> FromText(
      std::string_view generations, absl::Span<const EmbeddedFile> specs);

  SpecDatabase(const SpecDatabase&) = delete;
  SpecDatabase& operator=(const SpecDatabase&) = delete;

  // By compute capability, then by name.
  const std::vector<DeviceSpec>& All() const { return specs_; }
  // By compute capability.
  const std::vector<Generation>& AllGenerations() const { return generations_; }

  // Takes a name or an alias, in any case. NOT_FOUND suggests the nearest name
  // and lists all of them.
  absl::StatusOr<const DeviceSpec*> FindByName(std::string_view name) const;

  // The GPUs whose compute capability has this number (a suffix is ignored),
  // in the order of All(); none is an empty answer.
  std::vector<const DeviceSpec*> ByComputeCapability(const ComputeCapability& cc) const;

  // The generation of this number (a suffix is ignored), or null.
  const Generation* FindGeneration(const ComputeCapability& cc) const;

  // "v100, t4, a100, ...": in the order of All().
  std::string Names() const;

 private:
  SpecDatabase() = default;

  std::vector<Generation> generations_;  // specs point into it
  std::vector<DeviceSpec> specs_;
};

}  // namespace warpyard

#endif  // WARPYARD_CC_TARGET_SPEC_DATABASE_H_
