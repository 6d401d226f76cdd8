// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/hlo/attribute.h"

#include <algorithm>
#include <optional>

#include "absl/base/no_destructor.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cc/base/status_macros.h"

namespace warpyard::hlo {
namespace {

using Form = AttributeForm;

constexpr std::pair<std::string_view, Form> kForms[] = {
    {"algorithm", Form::kWord},
    {"all_gather_dimension", Form::kInteger},
    {"api_version", Form::kWord},
    {"async_execution_thread", Form::kString},
    {"backend_config", Form::kVerbatim},
    {"batch_group_count", Form::kInteger},
    {"body", Form::kComputation},
    {"branch_computations", Form::kComputations},
    {"called_computations", Form::kComputations},
    {"calls", Form::kComputation},
    {"channel_id", Form::kInteger},
    {"collapsed_slice_dims", Form::kIntegers},
    {"comparator", Form::kComputation},
    {"condition", Form::kComputation},
    {"constrain_layout", Form::kBool},
    {"control-predecessors", Form::kInstructions},
    {"cross_program_prefetch_index", Form::kInteger},
    {"custom_call_has_side_effect", Form::kBool},
    {"custom_call_target", Form::kString},
    {"delta", Form::kInteger},
    {"dim_labels", Form::kConvolutionLabels},
    {"dimension", Form::kInteger},
    {"dimensions", Form::kIntegers},
    {"direction", Form::kWord},
    {"distribution", Form::kWord},
    {"domain", Form::kVerbatim},
    {"dynamic_slice_sizes", Form::kIntegers},
    {"entry", Form::kVerbatim},
    {"epsilon", Form::kFloat},
    {"exponent_bits", Form::kInteger},
    {"false_computation", Form::kComputation},
    {"feature_group_count", Form::kInteger},
    {"feature_index", Form::kInteger},
    {"fft_length", Form::kIntegers},
    {"fft_type", Form::kWord},
    {"frontend_attributes", Form::kVerbatim},
    {"index", Form::kInteger},
    {"index_vector_dim", Form::kInteger},
    {"indices_are_sorted", Form::kBool},
    {"inferred_dimension", Form::kInteger},
    {"infeed_config", Form::kString},
    {"input_batching_dims", Form::kIntegers},
    {"inserted_window_dims", Form::kIntegers},
    {"interior_padding", Form::kIntegers},
    {"iota_dimension", Form::kInteger},
    {"is_associative", Form::kWord},
    {"is_host_transfer", Form::kBool},
    {"is_reverse", Form::kBool},
    {"is_stable", Form::kBool},
    {"k", Form::kInteger},
    {"kind", Form::kWord},
    {"largest", Form::kBool},
    {"left_side", Form::kBool},
    {"lhs_batch_dims", Form::kIntegers},
    {"lhs_contracting_dims", Form::kIntegers},
    {"lhs_ragged_dims", Form::kIntegers},
    {"literal", Form::kVerbatim},
    {"lower", Form::kBool},
    {"mantissa_bits", Form::kInteger},
    {"metadata", Form::kVerbatim},
    {"num_carries", Form::kInteger},
    {"offset_dims", Form::kIntegers},
    {"operand_batching_dims", Form::kIntegers},
    {"operand_layout_constraints", Form::kVerbatim},
    {"operand_precision", Form::kWords},
    {"origin", Form::kVerbatim},
    {"original_value", Form::kVerbatim},
    {"outfeed_config", Form::kString},
    {"outfeed_shape", Form::kVerbatim},
    {"output_to_operand_aliasing", Form::kVerbatim},
    {"padding", Form::kPadding},
    {"padding_type", Form::kWord},
    {"parameter_replication", Form::kVerbatim},
    {"permutation", Form::kIntegers},
    {"ragged_dims", Form::kIntegers},
    {"replica_groups", Form::kReplicaGroups},
    {"result_accuracy", Form::kVerbatim},
    {"rhs_batch_dims", Form::kIntegers},
    {"rhs_contracting_dims", Form::kIntegers},
    {"rhs_group_dims", Form::kIntegers},
    {"scatter", Form::kComputation},
    {"scatter_dims_to_operand_dims", Form::kIntegers},
    {"scatter_indices_batching_dims", Form::kIntegers},
    {"schedule", Form::kWord},
    {"select", Form::kComputation},
    {"sharding", Form::kVerbatim},
    {"slice", Form::kSlice},
    {"slice_sizes", Form::kIntegers},
    {"source_target_pairs", Form::kPairs},
    {"sparsity", Form::kVerbatim},
    {"split_dimension", Form::kInteger},
    {"start_index_map", Form::kIntegers},
    {"start_indices_batching_dims", Form::kIntegers},
    {"statistics", Form::kVerbatim},
    {"to_apply", Form::kComputation},
    {"transpose_a", Form::kWord},
    {"true_computation", Form::kComputation},
    {"type", Form::kWord},
    {"unique_indices", Form::kBool},
    {"unit_diagonal", Form::kBool},
    {"update_window_dims", Form::kIntegers},
    {"use_global_device_ids", Form::kBool},
    {"window", Form::kWindow},
};

// "3x3" -> {"3", "3"}; up to a blank, a comma or a closing brace.
absl::StatusOr<std::vector<std::string_view>> ReadByDimension(TextReader& reader) {
  reader.SkipSpace();
  const std::string_view rest = reader.rest();
  const size_t end = std::min(rest.find_first_of(" \t\r\n,}"), rest.size());
  if (end == 0) return reader.Unexpected("a value for each dimension");
  reader.set_offset(reader.offset() + end);
  return std::vector<std::string_view>(absl::StrSplit(rest.substr(0, end), 'x'));
}

// "1_2" -> {1, 2}.
absl::StatusOr<std::vector<int64_t>> Underscored(TextReader& reader, std::string_view text) {
  std::vector<int64_t> numbers;
  for (const std::string_view part : absl::StrSplit(text, '_')) {
    int64_t number;
    if (!absl::SimpleAtoi(part, &number)) {
      return reader.Error(absl::StrCat("expected integers with '_' between them, found '",
                                       absl::CHexEscape(text.substr(0, 40)), "'"));
    }
    numbers.push_back(number);
  }
  return numbers;
}

absl::StatusOr<AttributeValue> ReadWindow(TextReader& reader) {
  WARPYARD_RETURN_IF_ERROR(reader.Expect("{"));
  Window window;
  bool sized = false;
  while (!reader.Take("}")) {
    reader.SkipSpace();
    const size_t at = reader.offset();
    WARPYARD_ASSIGN_OR_RETURN(const std::string_view name, reader.ExpectWord("a window field"));
    WARPYARD_RETURN_IF_ERROR(reader.Expect("="));
    WARPYARD_ASSIGN_OR_RETURN(const std::vector<std::string_view> texts, ReadByDimension(reader));
    if (!sized) {
      window.resize(texts.size());
      sized = true;
    }
    if (texts.size() != window.size()) {
      return reader.ErrorAt(at, absl::StrCat("the window has ", window.size(), " dimensions, '",
                                             name, "' ", texts.size()));
    }
    for (size_t i = 0; i < texts.size(); ++i) {
      WARPYARD_ASSIGN_OR_RETURN(const std::vector<int64_t> numbers, Underscored(reader, texts[i]));
      WindowDimension& dimension = window[i];
      if (name == "pad") {
        if (numbers.size() != 2) return reader.ErrorAt(at, "pad is low_high for each dimension");
        dimension.padding_low = numbers[0];
        dimension.padding_high = numbers[1];
        continue;
      }
      if (numbers.size() != 1) return reader.ErrorAt(at, "expected one integer a dimension");
      if (name == "size") {
        dimension.size = numbers[0];
      } else if (name == "stride") {
        dimension.stride = numbers[0];
      } else if (name == "lhs_dilate") {
        dimension.base_dilation = numbers[0];
      } else if (name == "rhs_dilate") {
        dimension.window_dilation = numbers[0];
      } else if (name == "rhs_reversal") {
        dimension.reversal = numbers[0] != 0;
      } else {
        return reader.ErrorAt(at, absl::StrCat("a window has no field '", name,
                                               "'; it has size, stride, pad, lhs_dilate, "
                                               "rhs_dilate, rhs_reversal"));
      }
    }
  }
  return window;
}

// One of the three parts of the labels: letters and spatial numbers, one each.
absl::Status ReadLabels(TextReader& reader, size_t at, std::string_view text, char first,
                        char second, int64_t* first_dimension, int64_t* second_dimension,
                        std::vector<int64_t>* spatial) {
  *first_dimension = *second_dimension = -1;
  spatial->assign(text.size() < 2 ? 0 : text.size() - 2, -1);
  for (size_t i = 0; i < text.size(); ++i) {
    int64_t* slot = nullptr;
    if (text[i] == first) {
      slot = first_dimension;
    } else if (text[i] == second) {
      slot = second_dimension;
    } else if (text[i] >= '0' && text[i] <= '9' &&
               static_cast<size_t>(text[i] - '0') < spatial->size()) {
      slot = &(*spatial)[text[i] - '0'];
    }
    if (slot == nullptr || *slot != -1) {
      return reader.ErrorAt(at,
                            absl::StrCat("dimension labels '", absl::CHexEscape(text.substr(0, 40)),
                                         "': expected one '", std::string(1, first), "', one '",
                                         std::string(1, second), "' and the numbers from 0 on"));
    }
    *slot = static_cast<int64_t>(i);
  }
  if (text.size() < 2) return reader.ErrorAt(at, "dimension labels are too short");
  return absl::OkStatus();
}

absl::StatusOr<AttributeValue> ReadConvolutionLabels(TextReader& reader) {
  reader.SkipSpace();
  const size_t at = reader.offset();
  const std::string_view rest = reader.rest();
  const std::string_view text = rest.substr(0, std::min(rest.find_first_of(" ,\n\r"), rest.size()));
  const size_t underscore = text.find('_');
  const size_t arrow = text.find("->");
  if (underscore == std::string_view::npos || arrow == std::string_view::npos ||
      arrow < underscore) {
    return reader.Unexpected("dimension labels such as bf01_oi01->bf01");
  }
  ConvolutionLabels labels;
  WARPYARD_RETURN_IF_ERROR(ReadLabels(reader, at, text.substr(0, underscore), 'b', 'f',
                                      &labels.input_batch, &labels.input_feature,
                                      &labels.input_spatial));
  WARPYARD_RETURN_IF_ERROR(ReadLabels(
      reader, at, text.substr(underscore + 1, arrow - underscore - 1), 'i', 'o',
      &labels.kernel_input_feature, &labels.kernel_output_feature, &labels.kernel_spatial));
  WARPYARD_RETURN_IF_ERROR(ReadLabels(reader, at, text.substr(arrow + 2), 'b', 'f',
                                      &labels.output_batch, &labels.output_feature,
                                      &labels.output_spatial));
  if (labels.input_spatial.size() != labels.kernel_spatial.size() ||
      labels.input_spatial.size() != labels.output_spatial.size()) {
    return reader.ErrorAt(at, "the parts of the dimension labels differ in length");
  }
  reader.set_offset(at + text.size());
  return labels;
}

absl::StatusOr<AttributeValue> ReadPadding(TextReader& reader) {
  std::vector<PaddingDimension> padding;
  WARPYARD_ASSIGN_OR_RETURN(const std::vector<std::string_view> texts, ReadByDimension(reader));
  for (const std::string_view text : texts) {
    WARPYARD_ASSIGN_OR_RETURN(const std::vector<int64_t> numbers, Underscored(reader, text));
    if (numbers.size() != 2 && numbers.size() != 3) {
      return reader.Error("padding is low_high or low_high_interior for each dimension");
    }
    padding.push_back({numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 0});
  }
  return padding;
}

absl::StatusOr<AttributeValue> ReadSlice(TextReader& reader) {
  WARPYARD_RETURN_IF_ERROR(reader.Expect("{"));
  std::vector<SliceDimension> slice;
  if (reader.Take("}")) return slice;
  do {
    SliceDimension dimension;
    WARPYARD_RETURN_IF_ERROR(reader.Expect("["));
    WARPYARD_ASSIGN_OR_RETURN(dimension.start, reader.ExpectInteger());
    WARPYARD_RETURN_IF_ERROR(reader.Expect(":"));
    WARPYARD_ASSIGN_OR_RETURN(dimension.limit, reader.ExpectInteger());
    if (reader.Take(":")) {
      WARPYARD_ASSIGN_OR_RETURN(dimension.stride, reader.ExpectInteger());
    }
    WARPYARD_RETURN_IF_ERROR(reader.Expect("]"));
    slice.push_back(dimension);
  } while (reader.Take(","));
  WARPYARD_RETURN_IF_ERROR(reader.Expect("}"));
  return slice;
}

absl::StatusOr<AttributeValue> ReadPairs(TextReader& reader) {
  WARPYARD_RETURN_IF_ERROR(reader.Expect("{"));
  std::vector<std::pair<int64_t, int64_t>> pairs;
  if (reader.Take("}")) return pairs;
  do {
    WARPYARD_RETURN_IF_ERROR(reader.Expect("{"));
    WARPYARD_ASSIGN_OR_RETURN(const int64_t source, reader.ExpectInteger());
    WARPYARD_RETURN_IF_ERROR(reader.Expect(","));
    WARPYARD_ASSIGN_OR_RETURN(const int64_t target, reader.ExpectInteger());
    WARPYARD_RETURN_IF_ERROR(reader.Expect("}"));
    pairs.emplace_back(source, target);
  } while (reader.Take(","));
  WARPYARD_RETURN_IF_ERROR(reader.Expect("}"));
  return pairs;
}

}  // namespace

const AttributeForm* FindAttributeForm(std::string_view name) {
  static const absl::NoDestructor<absl::flat_hash_map<std::string_view, Form>> forms(
      std::begin(kForms), std::end(kForms));
  const auto found = forms->find(name);
  return found == forms->end() ? nullptr : &found->second;
}

absl::StatusOr<AttributeValue> ReadAttributeValue(AttributeForm form, TextReader& reader) {
  switch (form) {
    case Form::kBool:
      if (reader.Take("true")) return true;
      if (reader.Take("false")) return false;
      return reader.Unexpected("true or false");
    case Form::kInteger: {
      WARPYARD_ASSIGN_OR_RETURN(const int64_t value, reader.ExpectInteger());
      return value;
    }
    case Form::kFloat: {
      WARPYARD_ASSIGN_OR_RETURN(const std::string_view text, reader.TakeBalanced(",\n"));
      double value;
      if (!absl::SimpleAtod(text, &value)) return reader.Error("expected a number");
      return value;
    }
    case Form::kWord: {
      WARPYARD_ASSIGN_OR_RETURN(const std::string_view word, reader.ExpectWord("a word"));
      return Word{std::string(word)};
    }
    case Form::kString: {
      WARPYARD_ASSIGN_OR_RETURN(std::string text, reader.ExpectString());
      return Quoted{std::move(text)};
    }
    case Form::kVerbatim: {
      WARPYARD_ASSIGN_OR_RETURN(const std::string_view text, reader.TakeBalanced(",\n"));
      if (text.empty()) return reader.Unexpected("a value");
      return Verbatim{std::string(text)};
    }
    case Form::kIntegers: {
      WARPYARD_RETURN_IF_ERROR(reader.Expect("{"));
      std::vector<int64_t> values;
      if (reader.Take("}")) return values;
      do {
        WARPYARD_ASSIGN_OR_RETURN(const int64_t value, reader.ExpectInteger());
        values.push_back(value);
      } while (reader.Take(","));
      WARPYARD_RETURN_IF_ERROR(reader.Expect("}"));
      return values;
    }
    case Form::kWords: {
      WARPYARD_RETURN_IF_ERROR(reader.Expect("{"));
      std::vector<Word> words;
      if (reader.Take("}")) return words;
      do {
        WARPYARD_ASSIGN_OR_RETURN(const std::string_view word, reader.ExpectWord("a word"));
        words.push_back({std::string(word)});
      } while (reader.Take(","));
      WARPYARD_RETURN_IF_ERROR(reader.Expect("}"));
      return words;
    }
    case Form::kWindow:
      return ReadWindow(reader);
    case Form::kConvolutionLabels:
      return ReadConvolutionLabels(reader);
    case Form::kPadding:
      return ReadPadding(reader);
    case Form::kSlice:
      return ReadSlice(reader);
    case Form::kPairs:
      return ReadPairs(reader);
    case Form::kReplicaGroups: {
      reader.SkipSpace();
      const size_t at = reader.offset();
      WARPYARD_ASSIGN_OR_RETURN(const std::string_view text, reader.TakeBalanced(" ,\n"));
      absl::StatusOr<ReplicaGroups> groups = ReplicaGroups::Parse(text);
      if (!groups.ok()) return reader.ErrorAt(at, groups.status().message());
      return *std::move(groups);
    }
    case Form::kComputation:
    case Form::kComputations:
    case Form::kInstructions:
      break;
  }
  return absl::InternalError("references are the parser's");
}

}  // namespace warpyard::hlo
