// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A shared library with the functions of the CUDA driver that link code. It
// compiles nothing: its CUBIN is a text that tells what it was asked, so that
// tests on machines without a GPU can see what reaches the driver.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

namespace {

constexpr int kSuccess = 0;
constexpr int kInvalidContext = 201;
constexpr int kInvalidPtx = 218;

thread_local int context_depth = 0;

struct LinkState {
  std::map<int, void*> options;
  std::string inputs;
  std::string cubin;

  void Log(int buffer_option, int size_option, std::string_view text) const {
    char* buffer = static_cast<char*>(options.at(buffer_option));
    const size_t size = reinterpret_cast<uintptr_t>(options.at(size_option));
    const size_t copied = std::min(text.size(), size - 1);
    std::memcpy(buffer, text.data(), copied);
    buffer[copied] = '\0';
  }
  void Info(std::string_view text) const { Log(3, 4, text); }
  void Error(std::string_view text) const { Log(5, 6, text); }
};

}  // namespace

extern "C" {

int cuInit(unsigned int) { return kSuccess; }

int cuDriverGetVersion(int* version) {
  *version = 13040;
  return kSuccess;
}

int cuGetErrorString(int result, const char** text) {
  *text = result == kInvalidPtx ? "a PTX JIT compilation failed" : "some error";
  return kSuccess;
}

// A variable of the environment stands for the machine.
int cuDeviceGetCount(int* count) {
  const char* devices = std::getenv("FAKE_DRIVER_DEVICES");
  *count = devices != nullptr ? std::atoi(devices) : 1;
  return kSuccess;
}

int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return kSuccess;
}

int cuDevicePrimaryCtxRetain(void** context, int) {
  static int context_object;
  *context = &context_object;
  return kSuccess;
}

int cuDevicePrimaryCtxRelease_v2(int) { return kSuccess; }

int cuCtxPushCurrent_v2(void*) {
  ++context_depth;
  return kSuccess;
}

int cuCtxPopCurrent_v2(void**) {
  --context_depth;
  return kSuccess;
}

// For tests: how many contexts are current in this thread.
int FakeDriverContextDepth() { return context_depth; }

int cuLinkCreate_v2(unsigned int count, int* options, void** values, void** state) {
  if (context_depth == 0) return kInvalidContext;
  auto* link = new LinkState;
  for (unsigned int i = 0; i < count; ++i) link->options[options[i]] = values[i];
  *state = link;
  return kSuccess;
}

int cuLinkAddData_v2(void* state, int type, void* data, size_t size, const char* name, unsigned int,
                     int*, void**) {
  auto* link = static_cast<LinkState*>(state);
  const std::string_view bytes(static_cast<const char*>(data), size);
  if (bytes.find(".version 99.9") != std::string_view::npos) {
    link->Error(
        "ptxas application ptx input, line 1; fatal   : Unsupported .version 99.9; current "
        "version is '9.4'\n");
    return kInvalidPtx;
  }
  if (bytes.find("bogus") != std::string_view::npos) {
    link->Error(
        "ptxas application ptx input, line 4; error   : Not a name of any known "
        "instruction: 'bogus'\n");
    return kInvalidPtx;
  }
  if (bytes.find("silent") != std::string_view::npos) return kInvalidPtx;
  link->inputs += " input=" + std::to_string(type) + ":" + name + ":" +
                  (bytes.back() == '\0' ? "closed" : "open");
  return kSuccess;
}

int cuLinkComplete(void* state, void** cubin, size_t* size) {
  auto* link = static_cast<LinkState*>(state);
  link->cubin = "fake cubin\nCuda compilation tools, release 13.4, V13.4.12\n";
  for (const auto& [option, value] : link->options) {
    if (option >= 3 && option <= 6) continue;  // the logs
    link->cubin +=
        " " + std::to_string(option) + "=" + std::to_string(reinterpret_cast<uintptr_t>(value));
  }
  link->cubin += link->inputs;
  link->Info(
      "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
      "ptxas info    : Function properties for k\n"
      "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 10 registers, used 1 barriers, 256 bytes smem\n");
  *cubin = link->cubin.data();
  *size = link->cubin.size();
  return kSuccess;
}

int cuLinkDestroy(void* state) {
  delete static_cast<LinkState*>(state);
  return kSuccess;
}

}  // extern "C"
