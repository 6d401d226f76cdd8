// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// How the row loops of one source file are compiled twice: for the processor
// that the build is for, and for x86-64 with AVX2 and FMA. A family puts its
// loops into an .inc file and includes that in both regions, in different
// namespaces:
//
//   namespace {
//   WARPYARD_BEGIN_BASELINE
//   namespace baseline {
//   #include "cc/emulator/operations/row_map.inc"
//   #include "cc/emulator/operations/integer_rows.inc"
//   }
//   WARPYARD_END_REGION
//   #if WARPYARD_HAS_AVX2_REGION
//   ... the same with WARPYARD_BEGIN_AVX2 and namespace avx2 ...
//   #endif
//   }  // namespace
//
// Standard headers must be included before a region begins. Products and sums
// are never contracted to fused operations in a region: what rounds once and what
// rounds twice is PTX's choice.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_VECTOR_REGIONS_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_VECTOR_REGIONS_H_

#include "cc/emulator/program/program.h"

#if defined(__clang__)
#define WARPYARD_ROW_LOOP _Pragma("clang loop vectorize(assume_safety)")
#define WARPYARD_BEGIN_BASELINE _Pragma("clang fp contract(off)")
#define WARPYARD_END_REGION
#define WARPYARD_HAS_AVX2_REGION 0
#else
// Rows are equal or disjoint, so lanes do not depend on each other.
#define WARPYARD_ROW_LOOP _Pragma("GCC ivdep")
#define WARPYARD_BEGIN_BASELINE \
  _Pragma("GCC push_options")   \
      _Pragma("GCC optimize(\"O3,fp-contract=off,no-trapping-math,no-math-errno\")")
#define WARPYARD_END_REGION _Pragma("GCC pop_options")
#if defined(__x86_64__)
#define WARPYARD_HAS_AVX2_REGION 1
#define WARPYARD_BEGIN_AVX2                                                          \
  _Pragma("GCC push_options")                                                        \
      _Pragma("GCC optimize(\"O3,fp-contract=off,no-trapping-math,no-math-errno\")") \
          _Pragma("GCC target(\"avx2,fma,f16c,bmi,bmi2,popcnt,lzcnt\")")
#else
#define WARPYARD_HAS_AVX2_REGION 0
#endif
#endif

namespace warpyard::emulator {

// Whether handlers of the AVX2 regions can run here. WARPYARD_EMULATOR_BASELINE=1
// in the environment says no, so that tests reach the others too.
bool UseAvx2();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_VECTOR_REGIONS_H_
