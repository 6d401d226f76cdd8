// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// How many lane-instructions a second the handlers of single operations do, with
// all lanes active and with half of them. Each statement is run on its own rows,
// through its handler's pointer as the scheduler calls it.

#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "cc/emulator/operations/testing/single_operation.h"

namespace warpyard::emulator {
namespace {

double GigaLanesPerSecond(SingleOperation& operation, uint32_t mask) {
  using Clock = std::chrono::steady_clock;
  double best = 0;
  for (int repetition = 0; repetition < 5; ++repetition) {
    constexpr int kRuns = 100000;
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < kRuns; ++i) operation.Run(mask);
    const std::chrono::duration<double> seconds = Clock::now() - start;
    const double rate = kRuns * static_cast<double>(__builtin_popcount(mask)) / seconds.count();
    if (rate > best) best = rate;
  }
  return best / 1e9;
}

constexpr std::string_view kStatements[] = {
    "mov.b32 %r0, %r1",
    "add.s32 %r0, %r1, %r2",
    "mad.lo.s32 %r0, %r1, %r2, %r3",
    "mul.wide.s32 %d0, %r1, %r2",
    "add.s64 %d0, %d1, %d2",
    "shl.b32 %r0, %r1, 2",
    "and.b32 %r0, %r1, %r2",
    "lop3.b32 %r0, %r1, %r2, %r3, 0x96",
    "shf.l.wrap.b32 %r0, %r1, %r2, %r3",
    "prmt.b32 %r0, %r1, %r2, 0x5410",
    "bfe.u32 %r0, %r1, 4, 8",
    "add.f32 %r0, %r1, %r2",
    "fma.rn.f32 %r0, %r1, %r2, %r3",
    "fma.rn.ftz.f32 %r0, %r1, %r2, %r3",
    "fma.rz.f32 %r0, %r1, %r2, %r3",
    "max.f32 %r0, %r1, %r2",
    "fma.rn.f64 %d0, %d1, %d2, %d3",
    "fma.rn.f32x2 %d0, %d1, %d2, %d3",
    "fma.rn.f16x2 %r0, %r1, %r2, %r3",
    "fma.rn.bf16x2 %r0, %r1, %r2, %r3",
    "div.rn.f32 %r0, %r1, %r2",
    "ex2.approx.ftz.f32 %r0, %r1",
    "lg2.approx.f32 %r0, %r1",
    "tanh.approx.f32 %r0, %r1",
    "sin.approx.f32 %r0, %r1",
    "setp.lt.s32 %p0, %r1, %r2",
    "setp.lt.f32 %p0, %r1, %r2",
    "selp.b32 %r0, %r1, %r2, %p0",
    "cvt.rn.f32.s32 %r0, %r1",
    "cvt.s64.s32 %d0, %r1",
    "cvt.rzi.s32.f32 %r0, %r1",
    "cvt.f32.f16 %r0, %h1",
    "cvt.rn.f16x2.f32 %r0, %r1, %r2",
    "cvt.rn.satfinite.e4m3x2.f32 %h0, %r1, %r2",
    "mov.b64 %d0, {%r1, %r2}",
    "dp4a.s32.s32 %r0, %r1, %r2, %r3",
};

int Main() {
  std::cout << absl::StreamFormat("%-44s %10s %10s\n", "G lane-instructions/s", "all lanes",
                                  "half");
  for (std::string_view statement : kStatements) {
    absl::StatusOr<std::unique_ptr<SingleOperation>> operation =
        SingleOperation::Decode(statement, "sm_100a");
    if (!operation.ok()) {
      std::cerr << operation.status() << "\n";
      return 1;
    }
    std::cout << absl::StreamFormat("%-44s %10.2f %10.2f\n", statement,
                                    GigaLanesPerSecond(**operation, 0xffffffffu),
                                    GigaLanesPerSecond(**operation, 0x55555555u));
  }
  return 0;
}

}  // namespace
}  // namespace warpyard::emulator

int main() { return warpyard::emulator::Main(); }
