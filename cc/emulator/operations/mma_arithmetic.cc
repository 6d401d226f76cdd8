// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/mma_arithmetic.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cc/emulator/operations/vector_regions.h"
#include "cc/numerics/small_float.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define WARPYARD_AVX2 __attribute__((target("avx2,fma,f16c")))
#endif

namespace warpyard::emulator {
namespace {

struct Table {
  double values[256];
};

// Values of all bytes of a format whose code is `(byte >> shift) & mask`.
constexpr Table MakeTable(const FloatFormat& format, int shift) {
  Table table{};
  const uint32_t mask = (1u << format.bits()) - 1;
  for (uint32_t byte = 0; byte < 256; ++byte) {
    table.values[byte] = DecodeFloat(format, (byte >> shift) & mask);
  }
  return table;
}
constexpr Table kE4m3Table = MakeTable(kF8E4M3FN, 0);
constexpr Table kE5m2Table = MakeTable(kF8E5M2, 0);
constexpr Table kE3m2Table = MakeTable(kF6E3M2FN, 0);
constexpr Table kE2m3Table = MakeTable(kF6E2M3FN, 0);
constexpr Table kE2m1MidTable = MakeTable(kF4E2M1FN, 2);
constexpr Table kE2m1Table = MakeTable(kF4E2M1FN, 0);

void DecodeBytes(const Table& table, const uint8_t* source, int count, double* out) {
  for (int i = 0; i < count; ++i) out[i] = table.values[source[i]];
}

// 16 codes of `bits` bits each from the start of each 16 bytes.
void DecodePadded(const Table& table, int bits, const uint8_t* source, int chunks, double* out) {
  for (int chunk = 0; chunk < chunks; ++chunk, source += 16, out += 16) {
    for (int i = 0; i < 16; ++i) {
      const int at = i * bits;
      const uint32_t two = source[at / 8] | uint32_t{source[at / 8 + 1]} << 8;
      out[i] = table.values[two >> (at % 8) & ((1u << bits) - 1)];
    }
  }
}

void DecodeHalves(const uint16_t* source, int count, double* out) {
  for (int i = 0; i < count; ++i) out[i] = DecodeFloat(kF16, source[i]);
}

void MultiplyAddBaseline(int m, int n, int k, const double* a, ptrdiff_t lda, const double* b,
                         ptrdiff_t ldb, double* d, ptrdiff_t ldd) {
  for (int i = 0; i < m; ++i) {
    for (int kk = 0; kk < k; ++kk) {
      const double factor = a[i * lda + kk];
      for (int j = 0; j < n; ++j) d[i * ldd + j] += factor * b[kk * ldb + j];
    }
  }
}

#if defined(__x86_64__)
WARPYARD_AVX2 void DecodeHalvesAvx2(const uint16_t* source, int count, double* out) {
  for (int i = 0; i < count; i += 8) {
    const __m256 floats =
        _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(source + i)));
    _mm256_storeu_pd(out + i, _mm256_cvtps_pd(_mm256_castps256_ps128(floats)));
    _mm256_storeu_pd(out + i + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(floats, 1)));
  }
}

// Four rows by eight columns at a time: eight accumulators stay in registers.
WARPYARD_AVX2 void MultiplyAddAvx2(int m, int n, int k, const double* a, ptrdiff_t lda,
                                   const double* b, ptrdiff_t ldb, double* d, ptrdiff_t ldd) {
  for (int i = 0; i < m; i += 4) {
    for (int j = 0; j < n; j += 8) {
      __m256d sums[4][2];
      for (int r = 0; r < 4; ++r) {
        sums[r][0] = _mm256_loadu_pd(d + (i + r) * ldd + j);
        sums[r][1] = _mm256_loadu_pd(d + (i + r) * ldd + j + 4);
      }
      for (int kk = 0; kk < k; ++kk) {
        const __m256d b0 = _mm256_loadu_pd(b + kk * ldb + j);
        const __m256d b1 = _mm256_loadu_pd(b + kk * ldb + j + 4);
        for (int r = 0; r < 4; ++r) {
          const __m256d factor = _mm256_broadcast_sd(a + (i + r) * lda + kk);
          sums[r][0] = _mm256_fmadd_pd(factor, b0, sums[r][0]);
          sums[r][1] = _mm256_fmadd_pd(factor, b1, sums[r][1]);
        }
      }
      for (int r = 0; r < 4; ++r) {
        _mm256_storeu_pd(d + (i + r) * ldd + j, sums[r][0]);
        _mm256_storeu_pd(d + (i + r) * ldd + j + 4, sums[r][1]);
      }
    }
  }
}

WARPYARD_AVX2 void MultiplyAddIntegersAvx2(int m, int n, int k, const int32_t* a, ptrdiff_t lda,
                                           const int32_t* b, ptrdiff_t ldb, int32_t* d,
                                           ptrdiff_t ldd) {
  for (int i = 0; i < m; i += 4) {
    for (int j = 0; j < n; j += 8) {
      __m256i sums[4];
      for (int r = 0; r < 4; ++r) {
        sums[r] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(d + (i + r) * ldd + j));
      }
      for (int kk = 0; kk < k; ++kk) {
        const __m256i row = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + kk * ldb + j));
        for (int r = 0; r < 4; ++r) {
          const __m256i factor = _mm256_set1_epi32(a[(i + r) * lda + kk]);
          sums[r] = _mm256_add_epi32(sums[r], _mm256_mullo_epi32(factor, row));
        }
      }
      for (int r = 0; r < 4; ++r) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(d + (i + r) * ldd + j), sums[r]);
      }
    }
  }
}
#endif

}  // namespace

int ElementsIn16Bytes(MmaType type) {
  switch (type) {
    case MmaType::kF16:
    case MmaType::kBf16:
      return 8;
    case MmaType::kTf32:
      return 4;
    case MmaType::kF64:
      return 2;
    case MmaType::kE2m1:
    case MmaType::kS4:
    case MmaType::kU4:
      return 32;
    case MmaType::kB1:
      return 128;
    default:
      return 16;
  }
}

bool IsIntegerMma(MmaType type) { return type >= MmaType::kS8; }

void DecodeNumbers(MmaType type, const void* source, int chunks, double* out) {
  const auto* bytes = static_cast<const uint8_t*>(source);
  const int count = chunks * ElementsIn16Bytes(type);
  switch (type) {
    case MmaType::kF16:
#if defined(__x86_64__)
      if (UseAvx2()) return DecodeHalvesAvx2(static_cast<const uint16_t*>(source), count, out);
#endif
      return DecodeHalves(static_cast<const uint16_t*>(source), count, out);
    case MmaType::kBf16:
      for (int i = 0; i < count; ++i) {
        out[i] = std::bit_cast<float>(uint32_t{static_cast<const uint16_t*>(source)[i]} << 16);
      }
      return;
    case MmaType::kTf32:
      for (int i = 0; i < count; ++i) {
        out[i] = std::bit_cast<float>(static_cast<const uint32_t*>(source)[i] & 0xffffe000u);
      }
      return;
    case MmaType::kF64:
      std::memcpy(out, source, sizeof(double) * count);
      return;
    case MmaType::kE4m3:
      return DecodeBytes(kE4m3Table, bytes, count, out);
    case MmaType::kE5m2:
      return DecodeBytes(kE5m2Table, bytes, count, out);
    case MmaType::kE3m2:
      return DecodeBytes(kE3m2Table, bytes, count, out);
    case MmaType::kE2m3:
      return DecodeBytes(kE2m3Table, bytes, count, out);
    case MmaType::kE2m1Mid:
      return DecodeBytes(kE2m1MidTable, bytes, count, out);
    case MmaType::kE2m1:
      for (int i = 0; i < count; ++i) out[i] = kE2m1Table.values[bytes[i / 2] >> (i % 2 * 4) & 15];
      return;
    case MmaType::kE3m2Padded:
      return DecodePadded(kE3m2Table, 6, bytes, chunks, out);
    case MmaType::kE2m3Padded:
      return DecodePadded(kE2m3Table, 6, bytes, chunks, out);
    case MmaType::kE2m1Padded:
      return DecodePadded(kE2m1Table, 4, bytes, chunks, out);
    case MmaType::kS8:
      for (int i = 0; i < count; ++i) out[i] = static_cast<int8_t>(bytes[i]);
      return;
    case MmaType::kU8:
      for (int i = 0; i < count; ++i) out[i] = bytes[i];
      return;
    case MmaType::kB1:
      for (int i = 0; i < count; ++i) out[i] = bytes[i / 8] >> (i % 8) & 1;
      return;
    default:
      return;
  }
}

void DecodeIntegers(MmaType type, const void* source, int chunks, int32_t* out) {
  const auto* bytes = static_cast<const uint8_t*>(source);
  const int count = chunks * ElementsIn16Bytes(type);
  switch (type) {
    case MmaType::kS8:
      for (int i = 0; i < count; ++i) out[i] = static_cast<int8_t>(bytes[i]);
      return;
    case MmaType::kU8:
      for (int i = 0; i < count; ++i) out[i] = bytes[i];
      return;
    case MmaType::kS4:
    case MmaType::kU4:
      for (int i = 0; i < count; ++i) {
        const int code = bytes[i / 2] >> (i % 2 * 4) & 15;
        out[i] = type == MmaType::kS4 ? (code ^ 8) - 8 : code;
      }
      return;
    default:
      return;
  }
}

void MultiplyAdd(int m, int n, int k, const double* a, ptrdiff_t lda, const double* b,
                 ptrdiff_t ldb, double* d, ptrdiff_t ldd) {
#if defined(__x86_64__)
  if (UseAvx2()) return MultiplyAddAvx2(m, n, k, a, lda, b, ldb, d, ldd);
#endif
  MultiplyAddBaseline(m, n, k, a, lda, b, ldb, d, ldd);
}

void FusedMultiplyAdd(int m, int n, int k, const double* a, ptrdiff_t lda, const double* b,
                      ptrdiff_t ldb, double* d, ptrdiff_t ldd) {
#if defined(__x86_64__)
  if (UseAvx2()) return MultiplyAddAvx2(m, n, k, a, lda, b, ldb, d, ldd);
#endif
  for (int i = 0; i < m; ++i) {
    for (int kk = 0; kk < k; ++kk) {
      const double factor = a[i * lda + kk];
      for (int j = 0; j < n; ++j) {
        d[i * ldd + j] = std::fma(factor, b[kk * ldb + j], d[i * ldd + j]);
      }
    }
  }
}

void MultiplyAdd(int m, int n, int k, const int32_t* a, ptrdiff_t lda, const int32_t* b,
                 ptrdiff_t ldb, int32_t* d, ptrdiff_t ldd) {
#if defined(__x86_64__)
  if (UseAvx2()) return MultiplyAddIntegersAvx2(m, n, k, a, lda, b, ldb, d, ldd);
#endif
  for (int i = 0; i < m; ++i) {
    for (int kk = 0; kk < k; ++kk) {
      const auto factor = static_cast<uint32_t>(a[i * lda + kk]);
      for (int j = 0; j < n; ++j) {
        d[i * ldd + j] = static_cast<int32_t>(static_cast<uint32_t>(d[i * ldd + j]) +
                                              factor * static_cast<uint32_t>(b[kk * ldb + j]));
      }
    }
  }
}

uint32_t ResultF32(double value) {
  return std::isnan(value) ? 0x7fffffffu : std::bit_cast<uint32_t>(static_cast<float>(value));
}

uint32_t ResultF16(double value) {
  return EncodeFloat(kF16, value, {.convention = Convention::kPtx});
}

double ValueOfF16(uint32_t bits) { return DecodeFloat(kF16, bits & 0xffff); }

}  // namespace warpyard::emulator
