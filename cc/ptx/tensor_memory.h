// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// How much tensor memory the kernels of a PTX text allocate.

#ifndef WARPYARD_CC_PTX_TENSOR_MEMORY_H_
#define WARPYARD_CC_PTX_TENSOR_MEMORY_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace warpyard::ptx {

// For each kernel that has a `tcgen05.alloc` (PTX ISA, "tcgen05.alloc") whose
// number of columns can be read off, the largest such number. It can where the
// operand is an integer, or a register that one `mov` of an integer sets and
// nothing else in the kernel writes by that name at a line's start. Allocations
// of a kernel are not summed: one may be freed before the next. An allocation in
// a function that is called counts for no kernel.
//
// Any text is taken; what is not understood is passed over.
std::map<std::string, int64_t> TensorMemoryColumns(std::string_view ptx);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_TENSOR_MEMORY_H_
