// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Bulk conversions against the same ones one by one, in one run, and how many
// elements each does in a second.
//
//   ./bazelw run //cc/numerics:numerics_benchmark

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include "cc/numerics/convert.h"
#include "cc/numerics/element_type.h"
#include "cc/numerics/narrow.h"
#include "cc/numerics/small_float.h"

namespace warpyard {
namespace {

constexpr int64_t kCount = 1 << 14;  // fits into a core's caches

// The median seconds of one call, of 15 series.
template <typename Function>
double Seconds(int repeats, Function function) {
  std::vector<double> times;
  for (int series = 0; series < 15; ++series) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) function();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    times.push_back(taken.count() / repeats);
  }
  std::nth_element(times.begin(), times.begin() + 7, times.end());
  return times[7];
}

void Print(std::string_view name, double bulk, double each) {
  std::printf("f32 -> %-14.*s %6.2f G/s  %5.1f times one by one\n", static_cast<int>(name.size()),
              name.data(), kCount / bulk * 1e-9, each / bulk);
}

// The way back, for any type, by convert.h.
void RunWidening(std::vector<float>& floats) {
  std::vector<uint16_t> halves(kCount);
  for (const ElementType type :
       {ElementType::kF8E4M3FN, ElementType::kF8E5M2, ElementType::kF4E2M1FN, ElementType::kBF16,
        ElementType::kF16, ElementType::kS8}) {
    ConvertElements(ElementType::kF32, floats.data(), type, halves.data(), kCount);
    const double taken = Seconds(20, [&] {
      ConvertElements(type, halves.data(), ElementType::kF32, floats.data(), kCount);
    });
    const std::string_view name = ElementTypeName(type);
    std::printf("%-14.*s -> f32 %6.2f G/s\n", static_cast<int>(name.size()), name.data(),
                kCount / taken * 1e-9);
  }
}

void Run() {
  std::printf("kernel: %s, %lld elements\n", NarrowKernelName(), static_cast<long long>(kCount));
  std::vector<float> floats(kCount);
  uint32_t state = 1;
  for (float& value : floats) {
    state = state * 1664525 + 1013904223;
    value = static_cast<float>(static_cast<int32_t>(state)) * 0x1p-24f;
  }
  std::vector<uint16_t> halves(kCount);
  std::vector<uint8_t> bytes(kCount);
  for (const ElementTypeInfo& type : kElementTypes) {
    if (type.kind != ElementKind::kFloat || type.bits > 16) continue;
    const FloatFormat format = FormatOf(type.type);
    const double each = Seconds(5, [&] {
      for (int64_t i = 0; i < kCount; ++i) {
        halves[i] = static_cast<uint16_t>(EncodeFloat(format, floats[i]));
      }
      asm volatile("" : : "r"(halves.data()) : "memory");
    });
    const double bulk = Seconds(100, [&] {
      if (type.bits == 16) {
        NarrowToHalves(format, floats.data(), halves.data(), kCount);
      } else {
        NarrowToBytes(format, floats.data(), bytes.data(), kCount);
      }
    });
    Print(type.name, bulk, each);
    if (type.bits == 4) {
      const double packed =
          Seconds(100, [&] { NarrowToNibbles(format, floats.data(), bytes.data(), kCount); });
      Print("f4e2m1fn x2", packed, each);
    }
  }
  RunWidening(floats);
}

}  // namespace
}  // namespace warpyard

int main() { warpyard::Run(); }
