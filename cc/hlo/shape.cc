// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/hlo/shape.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/base/status_macros.h"

namespace warpyard::hlo {
namespace {

// Tuples in tuples; deeper text is refused rather than read recursively.
constexpr int kMaxDepth = 100;
constexpr int64_t kMaxRank = 1000;

absl::StatusOr<Layout> ReadLayout(TextReader& reader, int64_t rank) {
  Layout layout;
  std::vector<bool> seen(rank, false);
  if (!reader.Peek("}") && !reader.Peek(":")) {
    do {
      reader.SkipSpace();
      const size_t at = reader.offset();
      WARPYARD_ASSIGN_OR_RETURN(const int64_t dimension, reader.ExpectInteger());
      if (dimension < 0 || dimension >= rank || seen[dimension]) {
        return reader.ErrorAt(
            at, absl::StrCat("a layout of ", rank, " dimensions cannot have ", dimension, " here"));
      }
      seen[dimension] = true;
      layout.minor_to_major.push_back(dimension);
    } while (reader.Take(","));
  }
  if (static_cast<int64_t>(layout.minor_to_major.size()) != rank) {
    return reader.Error(absl::StrCat("the layout has ", layout.minor_to_major.size(),
                                     " dimensions, the shape ", rank));
  }
  if (reader.Take(":")) {
    WARPYARD_ASSIGN_OR_RETURN(const std::string_view properties, reader.TakeBalanced("}"));
    layout.properties = std::string(properties);
  }
  WARPYARD_RETURN_IF_ERROR(reader.Expect("}"));
  return layout;
}

}  // namespace

int64_t Layout::MemorySpace() const {
  // Properties follow each other as LETTER(...); S stands at the start or behind ')'.
  for (size_t at = properties.find("S("); at != std::string::npos;
       at = properties.find("S(", at + 1)) {
    if (at != 0 && properties[at - 1] != ')') continue;
    const size_t close = properties.find(')', at);
    int64_t space;
    if (close != std::string::npos &&
        absl::SimpleAtoi(std::string_view(properties).substr(at + 2, close - at - 2), &space)) {
      return space;
    }
  }
  return 0;
}

Shape Shape::Array(ElementType type, std::vector<int64_t> dimensions) {
  Shape shape;
  shape.kind_ = Kind::kArray;
  shape.type_ = type;
  shape.dimensions_ = std::move(dimensions);
  return shape;
}

Shape Shape::Tuple(std::vector<Shape> elements) {
  Shape shape;
  shape.elements_ = std::move(elements);
  return shape;
}

Shape Shape::Token() {
  Shape shape;
  shape.kind_ = Kind::kToken;
  return shape;
}

Shape Shape::Opaque() {
  Shape shape;
  shape.kind_ = Kind::kOpaque;
  return shape;
}

Shape Shape::Buffer(Shape array) {
  Shape shape;
  shape.kind_ = Kind::kBuffer;
  shape.elements_.push_back(std::move(array));
  return shape;
}

absl::StatusOr<Shape> Shape::Parse(std::string_view text) {
  TextReader reader(text);
  WARPYARD_ASSIGN_OR_RETURN(Shape shape, Read(reader));
  if (!reader.AtEnd()) return reader.Unexpected("the end of the shape");
  return shape;
}

absl::StatusOr<Shape> Shape::Read(TextReader& reader) { return ReadAtDepth(reader, 0); }

absl::StatusOr<Shape> Shape::ReadAtDepth(TextReader& reader, int depth) {
  if (depth > kMaxDepth) {
    return reader.Error(absl::StrCat("tuples are nested more than ", kMaxDepth, " deep"));
  }
  if (reader.Take("(")) {
    std::vector<Shape> elements;
    if (!reader.Take(")")) {
      do {
        WARPYARD_ASSIGN_OR_RETURN(Shape element, ReadAtDepth(reader, depth + 1));
        elements.push_back(std::move(element));
      } while (reader.Take(","));
      WARPYARD_RETURN_IF_ERROR(reader.Expect(")"));
    }
    return Tuple(std::move(elements));
  }
  reader.SkipSpace();
  const size_t at = reader.offset();
  const std::string_view name = reader.TakeWord();
  if (name == "b" && reader.Take("(")) {
    WARPYARD_ASSIGN_OR_RETURN(Shape array, ReadAtDepth(reader, depth + 1));
    WARPYARD_RETURN_IF_ERROR(reader.Expect(")"));
    if (!array.IsArray()) return reader.ErrorAt(at, "a buffer holds an array");
    return Buffer(std::move(array));
  }
  if (name == "token" || name == "opaque") {
    WARPYARD_RETURN_IF_ERROR(reader.Expect("["));
    WARPYARD_RETURN_IF_ERROR(reader.Expect("]"));
    if (reader.Take("{")) WARPYARD_RETURN_IF_ERROR(reader.Expect("}"));
    return name == "token" ? Token() : Opaque();
  }
  const std::optional<ElementType> type = ParseElementType(name);
  if (!type.has_value()) {
    reader.set_offset(at);
    return reader.Unexpected("a shape");
  }
  WARPYARD_RETURN_IF_ERROR(reader.Expect("["));
  Shape shape = Array(*type, {});
  if (!reader.Take("]")) {
    do {
      const bool dynamic = reader.Take("<=");
      reader.SkipSpace();
      const size_t size_at = reader.offset();
      WARPYARD_ASSIGN_OR_RETURN(const int64_t size, reader.ExpectInteger());
      if (size < 0) return reader.ErrorAt(size_at, "a dimension is negative");
      if (shape.rank() >= kMaxRank) return reader.ErrorAt(size_at, "too many dimensions");
      shape.dimensions_.push_back(size);
      if (dynamic) shape.set_dynamic(shape.rank() - 1, true);
    } while (reader.Take(","));
    WARPYARD_RETURN_IF_ERROR(reader.Expect("]"));
  }
  if (!shape.dynamic_.empty()) shape.dynamic_.resize(shape.rank(), false);
  // A brace may also begin the body of a computation; a layout follows at once.
  if (!reader.rest().empty() && reader.rest().front() == '{') {
    reader.Take("{");
    WARPYARD_ASSIGN_OR_RETURN(shape.layout_, ReadLayout(reader, shape.rank()));
  }
  return shape;
}

bool Shape::IsStatic() const {
  return std::find(dynamic_.begin(), dynamic_.end(), true) == dynamic_.end() &&
         std::all_of(elements_.begin(), elements_.end(),
                     [](const Shape& element) { return element.IsStatic(); });
}

void Shape::set_dynamic(int64_t i, bool dynamic) {
  dynamic_.resize(dimensions_.size(), false);
  dynamic_[i] = dynamic;
  if (std::find(dynamic_.begin(), dynamic_.end(), true) == dynamic_.end()) dynamic_.clear();
}

std::vector<int64_t> Shape::MinorToMajor() const {
  if (layout_.has_value()) return layout_->minor_to_major;
  std::vector<int64_t> order;
  for (int64_t i = rank(); i-- > 0;) order.push_back(i);
  return order;
}

std::optional<int64_t> Shape::ElementCount() const {
  if (std::find(dimensions_.begin(), dimensions_.end(), 0) != dimensions_.end()) return 0;
  int64_t count = 1;
  for (const int64_t size : dimensions_) {
    if (count > std::numeric_limits<int64_t>::max() / size) return std::nullopt;
    count *= size;
  }
  return count;
}

void Shape::AppendTo(std::string* out, bool with_layout) const {
  switch (kind_) {
    case Kind::kToken:
      out->append("token[]");
      return;
    case Kind::kOpaque:
      out->append("opaque[]");
      return;
    case Kind::kBuffer:
      out->append("b(");
      elements_[0].AppendTo(out, with_layout);
      out->push_back(')');
      return;
    case Kind::kTuple:
      out->push_back('(');
      for (size_t i = 0; i < elements_.size(); ++i) {
        if (i > 0) out->append(", ");
        // XLA numbers every fifth element of what is long.
        if (i > 0 && i % 5 == 0) absl::StrAppend(out, "/*index=", i, "*/");
        elements_[i].AppendTo(out, with_layout);
      }
      out->push_back(')');
      return;
    case Kind::kArray:
      break;
  }
  absl::StrAppend(out, ElementTypeName(type_), "[");
  for (int64_t i = 0; i < rank(); ++i) {
    absl::StrAppend(out, i > 0 ? "," : "", is_dynamic(i) ? "<=" : "", dimensions_[i]);
  }
  out->push_back(']');
  if (!with_layout || !layout_.has_value()) return;
  if (layout_->minor_to_major.empty() && layout_->properties.empty()) return;
  absl::StrAppend(out, "{", absl::StrJoin(layout_->minor_to_major, ","));
  if (!layout_->properties.empty()) absl::StrAppend(out, ":", layout_->properties);
  out->push_back('}');
}

std::string Shape::ToString(bool with_layout) const {
  std::string text;
  AppendTo(&text, with_layout);
  return text;
}

bool Shape::Compatible(const Shape& other) const {
  return type_ == other.type_ && CompatibleIgnoringElementType(other) &&
         std::equal(elements_.begin(), elements_.end(), other.elements_.begin(),
                    other.elements_.end(),
                    [](const Shape& a, const Shape& b) { return a.Compatible(b); });
}

bool Shape::CompatibleIgnoringElementType(const Shape& other) const {
  return kind_ == other.kind_ && dimensions_ == other.dimensions_ && dynamic_ == other.dynamic_ &&
         std::equal(
             elements_.begin(), elements_.end(), other.elements_.begin(), other.elements_.end(),
             [](const Shape& a, const Shape& b) { return a.CompatibleIgnoringElementType(b); });
}

}  // namespace warpyard::hlo
