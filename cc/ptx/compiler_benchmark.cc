// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What the front door costs over the libraries behind it, and what its cache
// saves: ratios of medians, measured in turns in one process.
//
//   ./bazelw run //cc/ptx:compiler_benchmark [-- PAIRS]

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/log/check.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/base/temporary_directory.h"
#include "cc/ptx/compiler.h"
#include "cc/ptx/testing/cuda_for_test.h"

namespace warpyard::ptx {
namespace {

constexpr std::string_view kSaxpy = R"(
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
)";

template <typename Function>
Function* Symbol(void* library, const char* name) {
  void* symbol = dlsym(library, name);
  CHECK(symbol != nullptr) << name;
  return reinterpret_cast<Function*>(symbol);
}

// NVRTC (nvrtc.h) with nothing of ours in between.
class Nvrtc {
 public:
  explicit Nvrtc(const std::string& path) : library_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    CHECK(library_ != nullptr) << dlerror();
  }

  // CUDA C++ to CUBIN and PTX, and the log, as a program would fetch them.
  size_t Compile(std::string_view source, const std::vector<std::string>& options) const {
    static auto* create =
        Symbol<int(void**, const char*, const char*, int, const char* const*, const char* const*)>(
            library_, "nvrtcCreateProgram");
    static auto* compile =
        Symbol<int(void*, int, const char* const*)>(library_, "nvrtcCompileProgram");
    static auto* destroy = Symbol<int(void**)>(library_, "nvrtcDestroyProgram");
    void* program = nullptr;
    const std::string text(source);
    CHECK_EQ(create(&program, text.c_str(), "saxpy.cu", 0, nullptr, nullptr), 0);
    std::vector<const char*> arguments;
    for (const std::string& option : options) arguments.push_back(option.c_str());
    CHECK_EQ(compile(program, static_cast<int>(arguments.size()), arguments.data()), 0);
    const size_t bytes =
        Fetch(program, "CUBIN") + Fetch(program, "PTX") + Fetch(program, "ProgramLog");
    destroy(&program);
    return bytes;
  }

 private:
  size_t Fetch(void* program, const std::string& what) const {
    auto* get_size =
        Symbol<int(void*, size_t*)>(library_, absl::StrCat("nvrtcGet", what, "Size").c_str());
    auto* get = Symbol<int(void*, char*)>(library_, absl::StrCat("nvrtcGet", what).c_str());
    size_t size = 0;
    CHECK_EQ(get_size(program, &size), 0);
    std::string bytes(size, '\0');
    CHECK_EQ(get(program, bytes.data()), 0);
    return bytes.size();
  }

  void* library_;
};

// nvJitLink (nvJitLink.h), likewise.
class NvJitLink {
 public:
  explicit NvJitLink(const std::string& path)
      : library_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    CHECK(library_ != nullptr) << dlerror();
  }

  size_t Link(const std::string& ptx, const std::vector<std::string>& options) const {
    static auto* create = Symbol<int(void**, uint32_t, const char**)>(library_, "nvJitLinkCreate");
    static auto* add =
        Symbol<int(void*, int, const void*, size_t, const char*)>(library_, "nvJitLinkAddData");
    static auto* complete = Symbol<int(void*)>(library_, "nvJitLinkComplete");
    static auto* get_size = Symbol<int(void*, size_t*)>(library_, "nvJitLinkGetLinkedCubinSize");
    static auto* get = Symbol<int(void*, void*)>(library_, "nvJitLinkGetLinkedCubin");
    static auto* destroy = Symbol<int(void**)>(library_, "nvJitLinkDestroy");
    std::vector<const char*> arguments;
    for (const std::string& option : options) arguments.push_back(option.c_str());
    void* handle = nullptr;
    CHECK_EQ(create(&handle, static_cast<uint32_t>(arguments.size()), arguments.data()), 0);
    constexpr int kPtx = 2;
    CHECK_EQ(add(handle, kPtx, ptx.c_str(), ptx.size() + 1, "saxpy.ptx"), 0);
    CHECK_EQ(complete(handle), 0);
    size_t size = 0;
    CHECK_EQ(get_size(handle, &size), 0);
    std::string cubin(size, '\0');
    CHECK_EQ(get(handle, cubin.data()), 0);
    destroy(&handle);
    return size;
  }

 private:
  void* library_;
};

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double Microseconds(const std::function<void()>& work) {
  const absl::Time start = absl::Now();
  work();
  return absl::ToDoubleMicroseconds(absl::Now() - start);
}

struct Pair {
  double ours_us;
  double theirs_us;
};

// In turns, so that both see the same machine.
Pair Compare(int pairs, const std::function<void()>& ours, const std::function<void()>& theirs) {
  ours();
  theirs();
  std::vector<double> our_times;
  std::vector<double> their_times;
  for (int i = 0; i < pairs; ++i) {
    if (i % 2 == 0) our_times.push_back(Microseconds(ours));
    their_times.push_back(Microseconds(theirs));
    if (i % 2 != 0) our_times.push_back(Microseconds(ours));
  }
  return {Median(our_times), Median(their_times)};
}

std::unique_ptr<Compiler> Make(const ToolPaths& tools, const std::string& provider, bool memory,
                               const std::string& dir) {
  CompilerConfig config;
  config.tools = tools;
  config.provider = provider;
  config.cache.memory = memory;
  config.cache.disk = !dir.empty();
  config.cache.dir = dir;
  return Compiler::Create(std::move(config)).value();
}

void Check(const absl::StatusOr<CompileResult>& result, bool from_cache) {
  CHECK(result.ok()) << result.status();
  CHECK_EQ(result->from_cache, from_cache);
  CHECK(!result->cubin.empty());
}

void Run(int pairs) {
  const ToolPaths tools = CudaForTest();
  const TemporaryDirectory folder = TemporaryDirectory::Create().value();
  CompileRequest cuda;
  cuda.inputs = {{InputKind::kCudaCpp, "saxpy.cu", std::string(kSaxpy)}};
  cuda.target = ComputeCapability(9, 0);
  cuda.outputs = {OutputKind::kCubin, OutputKind::kPtx};

  const auto uncached = Make(tools, "nvrtc", false, "");
  const Nvrtc nvrtc(tools.nvrtc);
  // What nvrtc_provider.cc passes. --no-cache keeps a cache of the tool's own, if
  // it has one, out of both figures.
  const std::vector<std::string> nvrtc_options = {
      "--gpu-architecture=sm_90",
      "--std=c++17",
      "--no-source-include",
      "--ptxas-options=-v",
      "--no-cache",
      absl::StrCat("--include-path=", tools.cuda_include),
      absl::StrCat("--include-path=", tools.cccl_include)};
  const Pair compile = Compare(
      pairs, [&] { Check(uncached->Compile(cuda), false); },
      [&] { nvrtc.Compile(kSaxpy, nvrtc_options); });
  std::printf("saxpy, CUDA C++ -> CUBIN, sm_90: front door %.2f ms, NVRTC %.2f ms, ratio %.3f\n",
              compile.ours_us / 1e3, compile.theirs_us / 1e3, compile.ours_us / compile.theirs_us);

  CompileRequest ptx = cuda;
  const std::string text = uncached->Compile(cuda)->ptx;
  ptx.inputs = {{InputKind::kPtx, "saxpy.ptx", text}};
  ptx.outputs = {OutputKind::kCubin};
  const auto uncached_link = Make(tools, "nvjitlink", false, "");
  const NvJitLink nvjitlink(tools.nvjitlink);
  const Pair link = Compare(
      pairs, [&] { Check(uncached_link->Compile(ptx), false); },
      [&] { nvjitlink.Link(text, {"-arch=sm_90", "-verbose", "-no-cache"}); });
  std::printf("saxpy, PTX -> CUBIN, sm_90: front door %.2f ms, nvJitLink %.2f ms, ratio %.3f\n",
              link.ours_us / 1e3, link.theirs_us / 1e3, link.ours_us / link.theirs_us);

  const auto in_memory = Make(tools, "auto", true, "");
  Check(in_memory->Compile(cuda), false);
  const auto on_disk = Make(tools, "auto", false, folder.path());
  Check(on_disk->Compile(cuda), false);
  const Pair cached = Compare(
      20 * pairs, [&] { Check(in_memory->Compile(cuda), true); },
      [&] { Check(on_disk->Compile(cuda), true); });
  std::printf(
      "saxpy, cached: from memory %.1f us (%.0fx faster), from disk %.1f us (%.0fx faster)\n",
      cached.ours_us, compile.ours_us / cached.ours_us, cached.theirs_us,
      compile.ours_us / cached.theirs_us);
}

}  // namespace
}  // namespace warpyard::ptx

int main(int argc, char** argv) {
  int pairs = 41;
  if (argc > 1 && (!absl::SimpleAtoi(argv[1], &pairs) || pairs < 1)) {
    std::fprintf(stderr, "usage: %s [PAIRS]\n", argv[0]);
    return 2;
  }
  warpyard::ptx::Run(pairs);
  return 0;
}
