// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The part of DLPack's C ABI (unversioned, ABI 0.x) that the test needs, from its
// specification: "C API", https://dmlc.github.io/dlpack/latest/c_api.html.

#ifndef WARPYARD_TESTS_RULES_PYBIND_DLPACK_H_
#define WARPYARD_TESTS_RULES_PYBIND_DLPACK_H_

#include <cstdint>

namespace warpyard::testing {

inline constexpr int32_t kCpu = 1;        // kDLCPU
inline constexpr uint8_t kFloatCode = 2;  // kDLFloat

struct Device {
  int32_t type;
  int32_t id;
};

struct DataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct Tensor {
  void* data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t* shape;
  int64_t* strides;  // null: row-major and without gaps
  uint64_t byte_offset;
};

// What a capsule named "dltensor" points to. Who takes it renames the capsule to
// "used_dltensor" and calls the deleter once.
struct ManagedTensor {
  Tensor tensor;
  void* context;
  void (*deleter)(ManagedTensor*);
};

}  // namespace warpyard::testing

#endif  // WARPYARD_TESTS_RULES_PYBIND_DLPACK_H_
