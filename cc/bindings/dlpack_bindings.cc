// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/bindings/dlpack_bindings.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "nanobind/nanobind.h"
#include "nanobind/ndarray.h"
#include "nanobind/stl/pair.h"
#include "nanobind/stl/vector.h"

namespace warpyard::bindings {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;

// What another package exported; it stays alive as long as this.
struct DlpackView {
  nb::ndarray<> value;
};

}  // namespace

void BindDlpack(nb::module_& m) {
  m.def(
      "dlpack_export",
      [](uintptr_t address, const std::vector<size_t>& shape, int code, int bits, int device,
         nb::object owner) {
        return nb::ndarray<>(
            reinterpret_cast<void*>(address), shape.size(), shape.data(), owner, nullptr,
            nb::dlpack::dtype{static_cast<uint8_t>(code), static_cast<uint8_t>(bits), 1},
            nb::device::cuda::value, device);
      },
      nb::sig("def dlpack_export(address: int, shape: list[int], code: int, bits: int, device: "
              "int, owner: object) -> object"),
      "address"_a, "shape"_a, "code"_a, "bits"_a, "device"_a, "owner"_a,
      "A DLPack capsule: a contiguous array of a CUDA device. `code` is a DLDataTypeCode.");

  nb::class_<DlpackView>(m, "DlpackView", "An array that another package exports.")
      .def_static(
          "of", [](nb::ndarray<> array) { return DlpackView{std::move(array)}; },
          nb::sig("def of(array: object) -> DlpackView"), "array"_a)
      .def_prop_ro("address",
                   [](const DlpackView& a) {
                     return reinterpret_cast<uintptr_t>(a.value.data_handle()) +
                            a.value.byte_offset();
                   })
      .def_prop_ro("shape",
                   [](const DlpackView& a) {
                     return std::vector<int64_t>(a.value.shape_ptr(),
                                                 a.value.shape_ptr() + a.value.ndim());
                   })
      .def_prop_ro(
          "strides",
          [](const DlpackView& a) {
            return std::vector<int64_t>(a.value.stride_ptr(),
                                        a.value.stride_ptr() + a.value.ndim());
          },
          "In elements.")
      .def_prop_ro(
          "dtype",
          [](const DlpackView& a) {
            return std::pair<int, int>(a.value.dtype().code, a.value.dtype().bits);
          },
          "DLDataTypeCode and bits.")
      .def_prop_ro(
          "device",
          [](const DlpackView& a) {
            return std::pair<int, int>(a.value.device_type(), a.value.device_id());
          },
          "DLDeviceType and number.");
}

}  // namespace warpyard::bindings
