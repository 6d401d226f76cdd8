// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A nanobind module that gives and takes arrays of float32 through DLPack.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>

#include "nanobind/nanobind.h"
#include "nanobind/ndarray.h"

namespace nb = nanobind;

namespace {

using Vector = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// An object with DLPack's methods, of no framework.
using OwnedVector = nb::ndarray<nb::array_api, float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

int live_arrays = 0;

OwnedVector Make(size_t size) {
  auto data = std::make_unique<float[]>(size);
  std::iota(data.get(), data.get() + size, 0.0f);
  ++live_arrays;
  nb::capsule owner(data.get(), [](void* pointer) noexcept {
    --live_arrays;
    delete[] static_cast<float*>(pointer);
  });
  return OwnedVector(data.release(), {size}, owner);
}

// Doubles the elements of anything that speaks DLPack; gives the data's address.
uintptr_t DoubleInPlace(Vector array) {
  for (size_t i = 0; i < array.size(); ++i) array(i) *= 2;
  return reinterpret_cast<uintptr_t>(array.data());
}

}  // namespace

NB_MODULE(nanobind_side, m) {
  m.def("make", &Make);
  m.def("double_in_place", &DoubleInPlace, nb::arg("array").noconvert());
  m.def("live_arrays", [] { return live_arrays; });
}
