// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What an HLO instruction produces: an array with a layout, a tuple, a token.

#ifndef WARPYARD_CC_HLO_SHAPE_H_
#define WARPYARD_CC_HLO_SHAPE_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/hlo/text_reader.h"
#include "cc/numerics/element_type.h"

namespace warpyard::hlo {

// How the dimensions of an array lie in memory.
struct Layout {
  // Dimensions from the one whose neighbours are nearest in memory on.
  std::vector<int64_t> minor_to_major;
  // What stands behind the colon, as it was written: tiles "T(8,128)(2,1)",
  // memory space "S(1)", element size "E(4)", and what else there is.
  std::string properties;

  // The memory space of S(n); 0, the device's own, where it is not said.
  int64_t MemorySpace() const;
  friend bool operator==(const Layout&, const Layout&) = default;
};

class Shape {
 public:
  enum class Kind : uint8_t { kArray, kTuple, kToken, kOpaque, kBuffer };

  // The empty tuple.
  Shape() = default;

  // Dimensions must not be negative. No layout: it is not part of what is meant.
  static Shape Array(ElementType type, std::vector<int64_t> dimensions);
  static Shape Scalar(ElementType type) { return Array(type, {}); }
  static Shape Tuple(std::vector<Shape> elements);
  static Shape Token();
  static Shape Opaque();
  // b(f32[4]): memory of an array rather than its value.
  static Shape Buffer(Shape array);

  // Reads "f32[2,<=8]{1,0:T(8,128)}", "(f32[], (s32[2]))", "token[]", "opaque[]",
  // "b(f32[4])". INVALID_ARGUMENT with position and caret.
  static absl::StatusOr<Shape> Parse(std::string_view text);
  static absl::StatusOr<Shape> Read(TextReader& reader);

  Kind kind() const { return kind_; }
  bool IsArray() const { return kind_ == Kind::kArray; }
  bool IsTuple() const { return kind_ == Kind::kTuple; }
  bool IsScalar() const { return IsArray() && dimensions_.empty(); }

  // Arrays.
  ElementType element_type() const { return type_; }
  void set_element_type(ElementType type) { type_ = type; }
  int64_t rank() const { return static_cast<int64_t>(dimensions_.size()); }
  const std::vector<int64_t>& dimensions() const { return dimensions_; }
  int64_t dimension(int64_t i) const { return dimensions_[i]; }
  // Whether the size is only a bound ("<=8").
  bool is_dynamic(int64_t i) const { return !dynamic_.empty() && dynamic_[i]; }
  bool IsStatic() const;  // also of all elements of a tuple
  void set_dynamic(int64_t i, bool dynamic);
  const std::optional<Layout>& layout() const { return layout_; }
  void set_layout(std::optional<Layout> layout) { layout_ = std::move(layout); }
  // minor_to_major() of the layout, or the row-major one where there is none.
  std::vector<int64_t> MinorToMajor() const;
  // The product of the dimensions, or nullopt beyond 2^63 - 1.
  std::optional<int64_t> ElementCount() const;

  // Tuples; the one element of a buffer.
  const std::vector<Shape>& elements() const { return elements_; }
  Shape& mutable_element(int64_t i) { return elements_[i]; }

  // With layouts where they are known.
  std::string ToString(bool with_layout = true) const;
  void AppendTo(std::string* out, bool with_layout = true) const;

  // Without a look at layouts.
  bool Compatible(const Shape& other) const;
  // Nor at element types of arrays.
  bool CompatibleIgnoringElementType(const Shape& other) const;
  bool SameDimensions(const Shape& other) const { return dimensions_ == other.dimensions_; }
  friend bool operator==(const Shape&, const Shape&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Shape& shape) {
    return out << shape.ToString();
  }

 private:
  static absl::StatusOr<Shape> ReadAtDepth(TextReader& reader, int depth);

  Kind kind_ = Kind::kTuple;
  ElementType type_ = ElementType::kPred;
  std::vector<int64_t> dimensions_;
  std::vector<bool> dynamic_;  // empty: all static
  std::optional<Layout> layout_;
  std::vector<Shape> elements_;
};

}  // namespace warpyard::hlo

#endif  // WARPYARD_CC_HLO_SHAPE_H_
