// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A dense array of values on the host: an element type, dimensions, a layout and
// the bytes. Values of less than a byte have a byte each (convert.h); packed.h
// packs them.

#ifndef WARPYARD_CC_NUMERICS_LITERAL_H_
#define WARPYARD_CC_NUMERICS_LITERAL_H_

#include <complex>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/numerics/convert.h"
#include "cc/numerics/element_type.h"

namespace warpyard {

class Literal {
 public:
  // Arrays beyond this many bytes are refused.
  static constexpr int64_t kMaxBytes = int64_t{1} << 40;

  // The scalar `false`.
  Literal() : Literal(ElementType::kPred) {}
  // The scalar 0 of a type.
  explicit Literal(ElementType type) : type_(type), bytes_(ByteWidth(type)) {}

  // An array of zeros. `minor_to_major` names the dimensions from the one whose
  // neighbours are nearest in memory on; empty is row-major, the last dimension first.
  // INVALID_ARGUMENT for a negative size or what is no permutation;
  // RESOURCE_EXHAUSTED beyond kMaxBytes, also where the product of sizes overflows.
  static absl::StatusOr<Literal> Create(ElementType type, absl::Span<const int64_t> dimensions,
                                        absl::Span<const int64_t> minor_to_major = {});

  // A row-major array with the values of `bytes`, which is as long as the array.
  static absl::StatusOr<Literal> FromBytes(ElementType type, absl::Span<const int64_t> dimensions,
                                           std::string_view bytes);

  ElementType element_type() const { return type_; }
  int rank() const { return static_cast<int>(dimensions_.size()); }
  const std::vector<int64_t>& dimensions() const { return dimensions_; }
  const std::vector<int64_t>& minor_to_major() const { return minor_to_major_; }
  // Of each dimension, in elements.
  const std::vector<int64_t>& strides() const { return strides_; }
  int64_t element_count() const { return count_; }
  bool is_row_major() const;

  // The bytes, in the order of the layout.
  absl::Span<const char> bytes() const { return bytes_; }
  absl::Span<char> mutable_bytes() { return absl::MakeSpan(bytes_); }

  // The elements as `T`, which has ByteWidth(element_type()) bytes, in the order of
  // the layout. A T of another size is a bug, and ends the program.
  template <typename T>
  absl::Span<const T> data() const {
    CheckSize(sizeof(T));
    return {reinterpret_cast<const T*>(bytes_.data()), static_cast<size_t>(count_)};
  }
  template <typename T>
  absl::Span<T> mutable_data() {
    CheckSize(sizeof(T));
    return {reinterpret_cast<T*>(bytes_.data()), static_cast<size_t>(count_)};
  }

  // Where the element with an index is in the order of the layout. The index is in
  // range: it is not checked.
  int64_t Offset(absl::Span<const int64_t> index) const {
    int64_t offset = 0;
    for (size_t i = 0; i < index.size(); ++i) offset += index[i] * strides_[i];
    return offset;
  }

  // One element by its Offset(), converted as convert.h says. `offset` is in range.
  const char* At(int64_t offset) const { return bytes_.data() + offset * ByteWidth(type_); }
  char* At(int64_t offset) { return bytes_.data() + offset * ByteWidth(type_); }
  double GetDouble(int64_t offset) const { return ReadDouble(type_, At(offset)); }
  int64_t GetInt64(int64_t offset) const { return ReadInt64(type_, At(offset)); }
  std::complex<double> GetComplex(int64_t offset) const { return ReadComplex(type_, At(offset)); }
  void SetDouble(int64_t offset, double value) { WriteDouble(type_, At(offset), value); }
  void SetInt64(int64_t offset, int64_t value) { WriteInt64(type_, At(offset), value); }
  void SetComplex(int64_t offset, std::complex<double> v) { WriteComplex(type_, At(offset), v); }

  // The same values in another type, as ConvertElements; the layout stays.
  Literal Convert(ElementType type, const FloatConversion& how = {}) const;

  // The same values in another order; `minor_to_major` as for Create.
  absl::StatusOr<Literal> Relayout(absl::Span<const int64_t> minor_to_major = {}) const;

  // Same type, dimensions and bytes in the same layout. NaNs with the same bits are
  // the same; -0 is not 0. compare.h compares values.
  friend bool operator==(const Literal&, const Literal&) = default;

 private:
  void CheckSize(size_t size) const;

  ElementType type_;
  int64_t count_ = 1;
  std::vector<int64_t> dimensions_;
  std::vector<int64_t> minor_to_major_;
  std::vector<int64_t> strides_;
  std::vector<char> bytes_;
};

// Calls `function(index)` for every index of an array of the given dimensions, in
// row-major order; once with an empty one for a scalar.
template <typename Function>
void ForEachIndex(absl::Span<const int64_t> dimensions, Function function) {
  for (const int64_t size : dimensions) {
    if (size <= 0) return;
  }
  std::vector<int64_t> index(dimensions.size(), 0);
  while (true) {
    function(absl::Span<const int64_t>(index));
    size_t at = dimensions.size();
    while (at > 0 && ++index[at - 1] == dimensions[at - 1]) index[--at] = 0;
    if (at == 0) return;
  }
}

}  // namespace warpyard

#endif  // WARPYARD_CC_NUMERICS_LITERAL_H_
