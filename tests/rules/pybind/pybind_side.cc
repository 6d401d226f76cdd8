// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A pybind11 module that gives and takes arrays of float32 through DLPack.

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "pybind11/pybind11.h"
#include "tests/rules/pybind/dlpack.h"

namespace py = pybind11;

namespace warpyard::testing {
namespace {

int live_exports = 0;

// A vector that can be lent out.
class Array {
 public:
  explicit Array(int64_t size) : values_(std::make_shared<std::vector<float>>(size)) {
    std::iota(values_->begin(), values_->end(), 0.0f);
  }

  float Get(int64_t i) const { return values_->at(i); }
  uintptr_t address() const { return reinterpret_cast<uintptr_t>(values_->data()); }
  std::shared_ptr<std::vector<float>> values() const { return values_; }

 private:
  std::shared_ptr<std::vector<float>> values_;
};

// Owns all that a lent tensor points to.
struct Export {
  std::shared_ptr<std::vector<float>> values;
  int64_t shape[1];
  ManagedTensor managed;
};

void DeleteExport(ManagedTensor* managed) {
  --live_exports;
  delete static_cast<Export*>(managed->context);
}

// Called for a capsule that nobody took.
void DeleteUntaken(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;
  auto* managed = static_cast<ManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
  managed->deleter(managed);
}

py::object ToDlpack(const Array& array, const py::kwargs&) {
  auto exported = std::make_unique<Export>();
  exported->values = array.values();
  exported->shape[0] = static_cast<int64_t>(exported->values->size());
  exported->managed = ManagedTensor{
      .tensor = {.data = exported->values->data(),
                 .device = {.type = kCpu, .id = 0},
                 .ndim = 1,
                 .dtype = {.code = kFloatCode, .bits = 32, .lanes = 1},
                 .shape = exported->shape,
                 .strides = nullptr,
                 .byte_offset = 0},
      .context = exported.get(),
      .deleter = &DeleteExport,
  };
  PyObject* capsule = PyCapsule_New(&exported->managed, "dltensor", &DeleteUntaken);
  if (capsule == nullptr) throw py::error_already_set();
  ++live_exports;
  exported.release();
  return py::reinterpret_steal<py::object>(capsule);
}

// Doubles the elements of anything that speaks DLPack; gives the data's address.
uintptr_t DoubleInPlace(const py::object& producer) {
  py::object capsule = producer.attr("__dlpack__")();
  auto* managed = static_cast<ManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (managed == nullptr) throw py::error_already_set();
  const Tensor& tensor = managed->tensor;
  if (tensor.device.type != kCpu || tensor.ndim != 1 || tensor.dtype.code != kFloatCode ||
      tensor.dtype.bits != 32 || (tensor.strides != nullptr && tensor.strides[0] != 1)) {
    throw py::value_error("expected a vector of float32 on the CPU");
  }
  PyCapsule_SetName(capsule.ptr(), "used_dltensor");
  auto* data = reinterpret_cast<float*>(static_cast<char*>(tensor.data) + tensor.byte_offset);
  for (int64_t i = 0; i < tensor.shape[0]; ++i) data[i] *= 2;
  const auto address = reinterpret_cast<uintptr_t>(data);
  if (managed->deleter != nullptr) managed->deleter(managed);
  return address;
}

}  // namespace
}  // namespace warpyard::testing

PYBIND11_MODULE(pybind_side, m) {
  using namespace warpyard::testing;  // NOLINT: the module's own names
  py::class_<Array>(m, "Array")
      .def(py::init<int64_t>())
      .def("__getitem__", &Array::Get)
      .def("__dlpack__", &ToDlpack)
      .def("__dlpack_device__", [](const Array&) { return std::pair(kCpu, 0); })
      .def_property_readonly("address", &Array::address);
  m.def("double_in_place", &DoubleInPlace);
  m.def("live_exports", [] { return live_exports; });
}
