// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Calls as CUDA C++ makes them, compiled by NVRTC for both of its dialects of PTX.

#include "cc/emulator/operations/call.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cc/emulator/testing/compile_cuda.h"
#include "cc/emulator/testing/run_ptx.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

constexpr char kSource[] = R"(
struct Big { int a[5]; double b; };

__device__ __noinline__ int Add(int a, int b) { return a + b; }
__device__ __noinline__ int Multiply(int a, int b) { return a * b; }
__device__ __noinline__ Big Make(int x, char c, short s, double d) {
  Big big;
  for (int i = 0; i < 5; ++i) big.a[i] = x + i * c;
  big.b = d * s;
  return big;
}
__device__ __noinline__ int Fibonacci(int n) {
  return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2);
}
typedef int (*Binary)(int, int);
__device__ Binary table[2] = {Add, Multiply};

struct Shape { __device__ virtual int Area() const = 0; };
struct Square : Shape { int s; __device__ Square(int x) : s(x) {} __device__ int Area() const override { return s * s; } };
struct Strip : Shape { int w; __device__ Strip(int x) : w(x) {} __device__ int Area() const override { return w * 3; } };

extern "C" __global__ void calls(int* out) {
  const int t = threadIdx.x;
  int sum = 0;
  if (t % 3 != 0) sum += Add(t, 7);
  else sum += Multiply(t, 2);
  sum = sum * 10 + table[t & 1](t, 3);
  const Big big = Make(t, 2, 3, 1.5);
  for (int i = 0; i < 5; ++i) sum += big.a[i];
  sum += (int)big.b;
  sum += Fibonacci(t % 9) * 100000;
  out[t] = sum;
}

extern "C" __global__ void virtuals(int* out) {
  const int t = threadIdx.x;
  Shape* shape;
  if (t & 1) shape = new Square(t); else shape = new Strip(t);
  __syncthreads();
  out[t] = shape->Area();
  delete shape;
}

extern "C" __global__ void deep(int* out, int n) {
  struct R { static __device__ __noinline__ int Down(int n) { volatile int a[16]; a[n & 15] = n; return n == 0 ? 0 : Down(n - 1) + a[n & 15]; } };
  out[threadIdx.x] = R::Down(n);
}

extern "C" __global__ void print(const char* name) {
  printf("thread %d of %s: %5.2f|%-6d|%06x|%c|%lld|%s|%%\n", threadIdx.x, name,
         threadIdx.x * 1.5, threadIdx.x * 10, 0xabc + threadIdx.x, 'a' + threadIdx.x,
         -5000000000LL, "end");
  if (threadIdx.x == 0) { int n = printf("none\n"); printf("%d %d\n", n, printf("%d%d%d\n", 1, 2, 3)); }
}

extern "C" __global__ void memory(int** kept, int* out) {
  const int t = threadIdx.x;
  int* mine = (int*)malloc(4 * (t + 1));
  for (int i = 0; i <= t; ++i) mine[i] = i * t;
  int sum = 0;
  for (int i = 0; i <= t; ++i) sum += mine[i];
  out[t] = sum;
  if (t == 5) *kept = mine; else free(mine);
  if (malloc(1u << 30) != 0) out[t] = -1;
}
extern "C" __global__ void later(int** kept, int* out) { out[0] = (*kept)[5]; free(*kept); }
extern "C" __global__ void twice(int** kept, int* out) { free(*kept); }

extern "C" __device__ __noinline__ void Check(int x) { assert(x < 40); }
extern "C" __global__ void asserts() { Check(threadIdx.x); }
)";

class CallTest : public testing::TestWithParam<const char*> {
 protected:
  static TestModule& Module(const std::string& target) {
    static std::map<std::string, TestModule*>& modules = *new std::map<std::string, TestModule*>;
    TestModule*& module = modules[target];
    if (module == nullptr) {
      const std::string source = absl::StrCat(
          "#undef assert\nextern \"C\" __device__ void __assertfail(const char*, const char*, "
          "unsigned, const char*, size_t);\n#define assert(e) ((e) ? (void)0 : "
          "__assertfail(#e, \"test.cu\", __LINE__, __func__, 1))\n",
          kSource);
      module = new TestModule(CompileCuda(source, target, /*line_info=*/true), "b200");
    }
    module->printed.clear();
    return *module;
  }
};

int Fibonacci(int n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }

TEST_P(CallTest, DirectIndirectAndRecursive) {
  TestModule& module = Module(GetParam());
  int* out = module.Allocate<int>(96);
  const std::optional<Fault> fault = module.Launch("calls", Dim3{1}, Dim3{96}, out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (int t = 0; t < 96; ++t) {
    int sum = t % 3 != 0 ? t + 7 : t * 2;
    sum = sum * 10 + ((t & 1) != 0 ? t * 3 : t + 3);
    for (int i = 0; i < 5; ++i) sum += t + i * 2;
    sum += 4 + Fibonacci(t % 9) * 100000;
    EXPECT_EQ(out[t], sum) << t;
  }
}

TEST_P(CallTest, VirtualFunctions) {
  TestModule& module = Module(GetParam());
  int* out = module.Allocate<int>(64);
  const std::optional<Fault> fault = module.Launch("virtuals", Dim3{1}, Dim3{64}, out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (int t = 0; t < 64; ++t) EXPECT_EQ(out[t], (t & 1) != 0 ? t * t : t * 3) << t;
}

TEST_P(CallTest, StacksGrowToTheirLimit) {
  TestModule& module = Module(GetParam());
  int* out = module.Allocate<int>(32);
  module.config.local_bytes_limit = 64 << 10;
  std::optional<Fault> fault = module.Launch("deep", Dim3{1}, Dim3{32}, out, 200);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (int t = 0; t < 32; ++t) EXPECT_EQ(out[t], 200 * 201 / 2);
  fault = module.Launch("deep", Dim3{1}, Dim3{32}, out, 1 << 30);
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, FaultKind::kStackOverflow) << fault->ToString();
  EXPECT_NE(fault->ToString().find("the limit is 65536 bytes"), std::string::npos);
  module.config.local_bytes_limit = 512 << 10;
}

TEST_P(CallTest, Printf) {
  TestModule& module = Module(GetParam());
  const char* name = module.Allocate(std::vector<char>{'w', 'a', 'r', 'p', 0});
  const std::optional<Fault> fault = module.Launch("print", Dim3{1}, Dim3{2}, name);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  EXPECT_EQ(module.printed,
            "thread 0 of warp:  0.00|0     |000abc|a|-5000000000|end|%\n"
            "thread 1 of warp:  1.50|10    |000abd|b|-5000000000|end|%\n"
            "none\n123\n0 3\n");
}

TEST_P(CallTest, TheHeapOutlivesLaunches) {
  TestModule& module = Module(GetParam());
  int* out = module.Allocate<int>(32);
  int** kept = module.Allocate<int*>(1);
  std::optional<Fault> fault = module.Launch("memory", Dim3{1}, Dim3{32}, kept, out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (int t = 0; t < 32; ++t) EXPECT_EQ(out[t], t * t * (t + 1) / 2) << t;
  fault = module.Launch("later", Dim3{1}, Dim3{1}, kept, out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  EXPECT_EQ(out[0], 25);
  fault = module.Launch("twice", Dim3{1}, Dim3{1}, kept, out);
  ASSERT_TRUE(fault.has_value());
  EXPECT_NE(fault->ToString().find("which malloc did not give or which is free"),
            std::string::npos);
}

TEST_P(CallTest, AssertionsTellWhere) {
  TestModule& module = Module(GetParam());
  const std::optional<Fault> fault = module.Launch("asserts", Dim3{3}, Dim3{64});
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, FaultKind::kAssert);
  EXPECT_NE(fault->ToString().find("Check: Assertion `x < 40` failed by thread (40,0,0) of block "
                                   "(0,0,0)"),
            std::string::npos)
      << fault->ToString();
  EXPECT_NE(fault->source.find("test.cu:"), std::string::npos) << fault->source;
}

INSTANTIATE_TEST_SUITE_P(Dialects, CallTest, testing::Values("sm_80", "sm_100"));

}  // namespace
}  // namespace warpyard::emulator
