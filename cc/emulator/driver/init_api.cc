// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Initialisation, versions, names of errors, and how functions are found.

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/device.h"
#include "cc/emulator/driver/error_text.h"

// Of cudaProfiler.h; in managed_api.cc.
extern "C" {
CUresult CUDAAPI cuProfilerInitialize(const char* config_file, const char* output_file,
                                      int output_mode);
CUresult CUDAAPI cuProfilerStart(void);
CUresult CUDAAPI cuProfilerStop(void);
}

using ::warpyard::emulator::driver::Driver;
using ::warpyard::emulator::driver::ErrorText;
using ::warpyard::emulator::driver::FindErrorText;

namespace {

struct NamedFunction {
  std::string_view name;
  int version;
  bool per_thread;
  std::string_view symbol;
  void* function;
};

#define WARPYARD_DRIVER_FUNCTION(name, version, symbol, per_thread) \
  {name, version, per_thread, #symbol, reinterpret_cast<void*>(&symbol)},
// Sorted by name.
const NamedFunction kFunctions[] = {
#include "cc/emulator/driver/functions_table.inc"
};
#undef WARPYARD_DRIVER_FUNCTION

bool RuntimeLibraryIsLoaded() {
  return dl_iterate_phdr(
             [](dl_phdr_info* library, size_t, void*) {
               return std::strstr(library->dlpi_name, "libcudart.so") != nullptr ? 1 : 0;
             },
             nullptr) != 0;
}

}  // namespace

CUresult CUDAAPI cuInit(unsigned int Flags) {
  if (Flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return Driver::Get().Initialize();
}

CUresult CUDAAPI cuDriverGetVersion(int* driverVersion) {
  if (driverVersion == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *driverVersion = warpyard::emulator::driver::kDriverVersion;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGetErrorName(CUresult error, const char** pStr) {
  if (pStr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const ErrorText* const text = FindErrorText(error);
  *pStr = text == nullptr ? nullptr : text->name;
  return text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult CUDAAPI cuGetErrorString(CUresult error, const char** pStr) {
  if (pStr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const ErrorText* const text = FindErrorText(error);
  *pStr = text == nullptr ? nullptr : text->text;
  return text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult CUDAAPI cuGetProcAddress_v2(const char* symbol, void** pfn, int cudaVersion,
                                     cuuint64_t flags,
                                     CUdriverProcAddressQueryResult* symbolStatus) {
  if (symbolStatus != nullptr) *symbolStatus = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  if (pfn == nullptr || symbol == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pfn = nullptr;
  constexpr cuuint64_t kKnown =
      CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if ((flags & ~kKnown) != 0 || flags == kKnown) return CUDA_ERROR_INVALID_VALUE;
  const bool per_thread = flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  const std::string_view name = symbol;
  if (name == "cuProfilerStart" || name == "cuProfilerStop" || name == "cuProfilerInitialize") {
    *pfn = name == "cuProfilerStart"  ? reinterpret_cast<void*>(&cuProfilerStart)
           : name == "cuProfilerStop" ? reinterpret_cast<void*>(&cuProfilerStop)
                                      : reinterpret_cast<void*>(&cuProfilerInitialize);
    if (symbolStatus != nullptr) *symbolStatus = CU_GET_PROC_ADDRESS_SUCCESS;
    return CUDA_SUCCESS;
  }
  // Ours alone knows exported names (cuMemAlloc_v2) as well as plain ones.
  for (const NamedFunction& function : kFunctions) {
    if (function.symbol == name && name != function.name) {
      *pfn = function.function;
      if (symbolStatus != nullptr) *symbolStatus = CU_GET_PROC_ADDRESS_SUCCESS;
      return CUDA_SUCCESS;
    }
  }
  const NamedFunction* begin = std::lower_bound(
      std::begin(kFunctions), std::end(kFunctions), name,
      [](const NamedFunction& function, std::string_view key) { return function.name < key; });
  const NamedFunction* best = nullptr;
  bool known = false;
  for (const NamedFunction* it = begin; it != std::end(kFunctions) && it->name == name; ++it) {
    known = true;
    if (it->version > cudaVersion || (it->per_thread && !per_thread)) continue;
    if (best == nullptr || it->per_thread > best->per_thread ||
        (it->per_thread == best->per_thread && it->version >= best->version)) {
      best = it;
    }
  }
  if (best == nullptr) {
    if (known && symbolStatus != nullptr) {
      *symbolStatus = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
    }
    // The second form tells by the status alone; see the driver's manual.
    return symbolStatus != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
  }
  *pfn = best->function;
  if (symbolStatus != nullptr) *symbolStatus = CU_GET_PROC_ADDRESS_SUCCESS;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion,
                                  cuuint64_t flags) {
  return cuGetProcAddress_v2(symbol, pfn, cudaVersion, flags, nullptr);
}

CUresult CUDAAPI cuGetExportTable(const void** ppExportTable, const CUuuid* pExportTableId) {
  if (ppExportTable == nullptr || pExportTableId == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *ppExportTable = nullptr;
  // A program with the runtime library linked in may never use it.
  if (RuntimeLibraryIsLoaded()) {
    warpyard::emulator::driver::ReportOnce(
        "cuGetExportTable",
        "NVIDIA's CUDA runtime library (libcudart, which CuPy and PyTorch need) talks to NVIDIA's "
        "driver through private tables; the emulated driver has none, and such programs do not "
        "run on it");
  }
  return CUDA_ERROR_NOT_FOUND;
}
