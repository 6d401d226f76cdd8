// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What tensor core operations (mma, wmma, wgmma, tcgen05.mma) compute, on plain
// arrays: elements of every operand type become doubles or 32-bit integers, and
// matrices of those are multiplied.
//
// PTX leaves the order and the width of the sums open. Here every product is
// exact, sums are made in double, in the order of k, and rounded once, to
// nearest even, to the type of D. Integers are exact.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_MMA_ARITHMETIC_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_MMA_ARITHMETIC_H_

#include <cstddef>
#include <cstdint>

namespace warpyard::emulator {

// How operands lie in registers or shared memory.
enum class MmaType : uint8_t {
  kF16,
  kBf16,
  kTf32,  // 32 bits, of which the lower 13 are ignored
  kF64,
  kE4m3,
  kE5m2,
  kE3m2,     // the lower 6 bits of a byte
  kE2m3,     // the lower 6 bits of a byte
  kE2m1Mid,  // bits 2 to 5 of a byte: mma .kind::f8f6f4
  kE2m1,     // 2 in a byte, the lower half first
  // Shared memory of tcgen05 .kind::f8f6f4: 16 elements side by side, then
  // padding to 16 bytes (PTX ISA, ".b4x16_p64", ".b6x16_p32").
  kE3m2Padded,
  kE2m3Padded,
  kE2m1Padded,
  kS8,
  kU8,
  kS4,
  kU4,
  kB1,
};

// Elements in 16 bytes: 8 for kF16, 16 for the padded types.
int ElementsIn16Bytes(MmaType type);
// Whether elements are integers, for DecodeIntegers.
bool IsIntegerMma(MmaType type);

// Turns `chunks` times 16 bytes into doubles, side by side. NaNs stay NaNs.
void DecodeNumbers(MmaType type, const void* source, int chunks, double* out);
// The same for kS8, kU8, kS4, kU4.
void DecodeIntegers(MmaType type, const void* source, int chunks, int32_t* out);

// d[i][j] += sum over k of a[i][k] * b[k][j], rows `lda`, `ldb`, `ldd` elements
// apart. m and n are multiples of 4 and 8. The products must be exact in double
// (they are for every type but kF64).
void MultiplyAdd(int m, int n, int k, const double* a, ptrdiff_t lda, const double* b,
                 ptrdiff_t ldb, double* d, ptrdiff_t ldd);
// The same with one rounding per step of k, as PTX has it for .f64: fused
// multiply-adds in the order of k.
void FusedMultiplyAdd(int m, int n, int k, const double* a, ptrdiff_t lda, const double* b,
                      ptrdiff_t ldb, double* d, ptrdiff_t ldd);
// The same for integers, modulo 2^32.
void MultiplyAdd(int m, int n, int k, const int32_t* a, ptrdiff_t lda, const int32_t* b,
                 ptrdiff_t ldb, int32_t* d, ptrdiff_t ldd);

// The bits of a result: f32 and f16 with NaN as 0x7fffffff and 0x7fff.
uint32_t ResultF32(double value);
uint32_t ResultF16(double value);
// The value of an f16 accumulator.
double ValueOfF16(uint32_t bits);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_MMA_ARITHMETIC_H_
