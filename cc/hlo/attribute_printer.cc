// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/hlo/attribute_printer.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/hlo/module.h"

namespace warpyard::hlo {
namespace {

// Appends `values` with 'x' between them if one of them is not `usual`.
template <typename Get>
void AppendByDimension(const Window& window, std::string_view name, Get get, int64_t usual,
                       std::string* out) {
  if (std::all_of(window.begin(), window.end(),
                  [&](const WindowDimension& d) { return get(d) == usual; })) {
    return;
  }
  absl::StrAppend(out, out->back() == '{' ? "" : " ", name, "=");
  for (size_t i = 0; i < window.size(); ++i) {
    absl::StrAppend(out, i > 0 ? "x" : "", get(window[i]));
  }
}

void AppendWindow(const Window& window, std::string* out) {
  out->push_back('{');
  if (!window.empty()) {
    absl::StrAppend(
        out, "size=", absl::StrJoin(window, "x", [](std::string* text, const WindowDimension& d) {
          absl::StrAppend(text, d.size);
        }));
    AppendByDimension(window, "stride", [](const auto& d) { return d.stride; }, 1, out);
    if (std::any_of(window.begin(), window.end(),
                    [](const auto& d) { return d.padding_low != 0 || d.padding_high != 0; })) {
      absl::StrAppend(
          out, " pad=", absl::StrJoin(window, "x", [](std::string* text, const WindowDimension& d) {
            absl::StrAppend(text, d.padding_low, "_", d.padding_high);
          }));
    }
    AppendByDimension(window, "lhs_dilate", [](const auto& d) { return d.base_dilation; }, 1, out);
    AppendByDimension(
        window, "rhs_dilate", [](const auto& d) { return d.window_dilation; }, 1, out);
    AppendByDimension(
        window, "rhs_reversal", [](const auto& d) { return int64_t{d.reversal}; }, 0, out);
  }
  out->push_back('}');
}

std::string LabelText(size_t rank, char first, int64_t first_dimension, char second,
                      int64_t second_dimension, const std::vector<int64_t>& spatial) {
  std::string text(rank, '?');
  text[first_dimension] = first;
  text[second_dimension] = second;
  for (size_t i = 0; i < spatial.size(); ++i) text[spatial[i]] = static_cast<char>('0' + i);
  return text;
}

struct Appender {
  std::string_view sign;
  std::string* out;

  void operator()(bool value) const { out->append(value ? "true" : "false"); }
  void operator()(int64_t value) const { absl::StrAppend(out, value); }
  void operator()(double value) const { absl::StrAppend(out, value); }
  void operator()(const Word& word) const { out->append(word.text); }
  void operator()(const Quoted& text) const {
    absl::StrAppend(out, "\"", absl::CEscape(text.text), "\"");
  }
  void operator()(const Verbatim& text) const { out->append(text.text); }
  void operator()(const std::vector<int64_t>& values) const {
    absl::StrAppend(out, "{", absl::StrJoin(values, ","), "}");
  }
  void operator()(const std::vector<Word>& words) const {
    absl::StrAppend(
        out, "{",
        absl::StrJoin(words, ",",
                      [](std::string* text, const Word& word) { text->append(word.text); }),
        "}");
  }
  void operator()(const Computation* computation) const {
    absl::StrAppend(out, sign, computation->name());
  }
  void operator()(const std::vector<Computation*>& computations) const { List(computations); }
  void operator()(const std::vector<Instruction*>& instructions) const { List(instructions); }
  void operator()(const Window& window) const { AppendWindow(window, out); }
  void operator()(const ConvolutionLabels& labels) const {
    const size_t rank = labels.input_spatial.size() + 2;
    absl::StrAppend(
        out,
        LabelText(rank, 'b', labels.input_batch, 'f', labels.input_feature, labels.input_spatial),
        "_",
        LabelText(rank, 'i', labels.kernel_input_feature, 'o', labels.kernel_output_feature,
                  labels.kernel_spatial),
        "->",
        LabelText(rank, 'b', labels.output_batch, 'f', labels.output_feature,
                  labels.output_spatial));
  }
  void operator()(const std::vector<PaddingDimension>& padding) const {
    const bool interior = std::any_of(padding.begin(), padding.end(),
                                      [](const auto& each) { return each.interior != 0; });
    for (size_t i = 0; i < padding.size(); ++i) {
      absl::StrAppend(out, i > 0 ? "x" : "", padding[i].low, "_", padding[i].high);
      if (interior) absl::StrAppend(out, "_", padding[i].interior);
    }
  }
  void operator()(const std::vector<SliceDimension>& slice) const {
    const bool strided =
        std::any_of(slice.begin(), slice.end(), [](const auto& each) { return each.stride != 1; });
    out->push_back('{');
    for (size_t i = 0; i < slice.size(); ++i) {
      absl::StrAppend(out, i > 0 ? ", [" : "[", slice[i].start, ":", slice[i].limit);
      if (strided) absl::StrAppend(out, ":", slice[i].stride);
      out->push_back(']');
    }
    out->push_back('}');
  }
  void operator()(const ReplicaGroups& groups) const { out->append(groups.ToString()); }
  void operator()(const std::vector<std::pair<int64_t, int64_t>>& pairs) const {
    out->push_back('{');
    for (size_t i = 0; i < pairs.size(); ++i) {
      absl::StrAppend(out, i > 0 ? "," : "", "{", pairs[i].first, ",", pairs[i].second, "}");
    }
    out->push_back('}');
  }

  template <typename T>
  void List(const std::vector<T*>& named) const {
    out->push_back('{');
    for (size_t i = 0; i < named.size(); ++i) {
      absl::StrAppend(out, i > 0 ? ", " : "", sign, named[i]->name());
    }
    out->push_back('}');
  }
};

}  // namespace

void AppendAttributeValue(const AttributeValue& value, std::string_view sign, std::string* out) {
  std::visit(Appender{sign, out}, value);
}

}  // namespace warpyard::hlo
