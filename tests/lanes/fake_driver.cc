// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A CUDA driver that only says what is there, for tests of the harness. The
// GPUs stand in WARPYARD_FAKE_GPUS: "NAME|MAJOR|MINOR|MIB", separated by ";", or
// in WARPYARD_EMULATE, as for the emulated driver.
// With EMULATED it carries the mark of Warpyard's emulated driver.

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Gpu {
  std::string name;
  int major = 0;
  int minor = 0;
  size_t mib = 0;
};

// The GPUs that "b200*2" stands for.
std::vector<Gpu> Emulated(const std::string& text) {
  const Gpu known[] = {{"NVIDIA A100-SXM4-80GB", 8, 0, 81920},
                       {"NVIDIA H100 80GB HBM3", 9, 0, 81920},
                       {"NVIDIA H200", 9, 0, 144384},
                       {"NVIDIA B200", 10, 0, 184320},
                       {"NVIDIA GeForce RTX 5090", 12, 0, 32768}};
  const char* const names[] = {"a100", "h100", "h200", "b200", "rtx5090"};
  const size_t star = text.find('*');
  const int count = star == std::string::npos ? 1 : std::atoi(text.c_str() + star + 1);
  for (int i = 0; i < 5; ++i) {
    if (text.substr(0, star) == names[i]) return std::vector<Gpu>(count, known[i]);
  }
  return {};
}

std::vector<Gpu> Gpus() {
  const char* text = std::getenv("WARPYARD_FAKE_GPUS");
  const char* emulate = std::getenv("WARPYARD_EMULATE");
  if (text == nullptr && emulate != nullptr) return Emulated(emulate);
  std::vector<Gpu> gpus;
  std::stringstream rows(text == nullptr ? "" : text);
  for (std::string row; std::getline(rows, row, ';');) {
    std::stringstream cells(row);
    std::string major, minor, mib;
    Gpu gpu;
    std::getline(cells, gpu.name, '|');
    std::getline(cells, major, '|');
    std::getline(cells, minor, '|');
    std::getline(cells, mib, '|');
    gpu.major = std::atoi(major.c_str());
    gpu.minor = std::atoi(minor.c_str());
    gpu.mib = std::strtoull(mib.c_str(), nullptr, 10);
    gpus.push_back(gpu);
  }
  return gpus;
}

constexpr int kSuccess = 0;
constexpr int kNoDevice = 100;

}  // namespace

extern "C" {

#ifdef EMULATED
int warpyardControlVersion() { return 1; }
#endif

int cuInit(unsigned) {
  if (const char* code = std::getenv("WARPYARD_FAKE_INIT")) return std::atoi(code);
  return Gpus().empty() ? kNoDevice : kSuccess;
}

int cuDriverGetVersion(int* version) {
  *version = 13050;
  return kSuccess;
}

int cuDeviceGetCount(int* count) {
  *count = static_cast<int>(Gpus().size());
  return kSuccess;
}

int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return kSuccess;
}

int cuDeviceGetName(char* name, int size, int device) {
  std::strncpy(name, Gpus()[device].name.c_str(), size);
  return kSuccess;
}

int cuDeviceGetAttribute(int* value, int attribute, int device) {
  constexpr int kMajor = 75;
  *value = attribute == kMajor ? Gpus()[device].major : Gpus()[device].minor;
  return kSuccess;
}

int cuDeviceTotalMem_v2(size_t* bytes, int device) {
  *bytes = Gpus()[device].mib << 20;
  return kSuccess;
}

}  // extern "C"
