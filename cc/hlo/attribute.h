// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What stands behind an instruction's operands: `dimensions={0,1}`,
// `window={size=3x3}`, `to_apply=%add`.

#ifndef WARPYARD_CC_HLO_ATTRIBUTE_H_
#define WARPYARD_CC_HLO_ATTRIBUTE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/hlo/replica_groups.h"
#include "cc/hlo/text_reader.h"

namespace warpyard::hlo {

class Computation;
class Instruction;

// A window that slides over an array, a dimension each.
struct WindowDimension {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t padding_low = 0;
  int64_t padding_high = 0;
  int64_t base_dilation = 1;    // holes in the array ("lhs_dilate")
  int64_t window_dilation = 1;  // holes in the window ("rhs_dilate")
  bool reversal = false;        // the window's elements in falling order
  friend bool operator==(const WindowDimension&, const WindowDimension&) = default;
};
using Window = std::vector<WindowDimension>;

// Which dimension of a convolution's arrays is what: "bf01_oi01->bf01".
struct ConvolutionLabels {
  int64_t input_batch = 0, input_feature = 0;
  std::vector<int64_t> input_spatial;
  int64_t kernel_input_feature = 0, kernel_output_feature = 0;
  std::vector<int64_t> kernel_spatial;
  int64_t output_batch = 0, output_feature = 0;
  std::vector<int64_t> output_spatial;
  friend bool operator==(const ConvolutionLabels&, const ConvolutionLabels&) = default;
};

struct PaddingDimension {
  int64_t low = 0, high = 0;  // negative: cut off
  int64_t interior = 0;
  friend bool operator==(const PaddingDimension&, const PaddingDimension&) = default;
};

struct SliceDimension {
  int64_t start = 0, limit = 0, stride = 1;
  friend bool operator==(const SliceDimension&, const SliceDimension&) = default;
};

// A word that stands without quotes: `direction=LT`.
struct Word {
  std::string text;
  friend bool operator==(const Word&, const Word&) = default;
};
// A string in quotes, here without them.
struct Quoted {
  std::string text;
  friend bool operator==(const Quoted&, const Quoted&) = default;
};
// Kept as it was written, brackets and all: what XLA's passes annotate.
struct Verbatim {
  std::string text;
  friend bool operator==(const Verbatim&, const Verbatim&) = default;
};

using AttributeValue =
    std::variant<bool, int64_t, double, Word, Quoted, Verbatim, std::vector<int64_t>,
                 std::vector<Word>, Computation*, std::vector<Computation*>,
                 std::vector<Instruction*>, Window, ConvolutionLabels,
                 std::vector<PaddingDimension>, std::vector<SliceDimension>, ReplicaGroups,
                 std::vector<std::pair<int64_t, int64_t>>>;

struct Attribute {
  std::string name;
  AttributeValue value;
};

// How an attribute's value is written.
enum class AttributeForm : uint8_t {
  kBool,
  kInteger,
  kFloat,
  kWord,
  kString,
  kVerbatim,
  kIntegers,
  kWords,
  kComputation,
  kComputations,
  kInstructions,
  kWindow,
  kConvolutionLabels,
  kPadding,
  kSlice,
  kReplicaGroups,
  kPairs,
};

// Null for an attribute that HLO does not have.
const AttributeForm* FindAttributeForm(std::string_view name);

// Reads a value without references to computations and instructions, which the
// parser resolves. INVALID_ARGUMENT with position and caret.
absl::StatusOr<AttributeValue> ReadAttributeValue(AttributeForm form, TextReader& reader);

}  // namespace warpyard::hlo

#endif  // WARPYARD_CC_HLO_ATTRIBUTE_H_
