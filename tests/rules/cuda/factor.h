// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A header for device code, in a C++ library of its own.

#ifndef WARPYARD_TESTS_RULES_CUDA_FACTOR_H_
#define WARPYARD_TESTS_RULES_CUDA_FACTOR_H_

#ifndef FACTOR
#error "FACTOR comes from the library's defines"
#endif

__device__ inline float Factor() { return FACTOR; }

#endif  // WARPYARD_TESTS_RULES_CUDA_FACTOR_H_
