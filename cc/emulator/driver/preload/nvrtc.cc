// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// NVRTC, which makes PTX on the way to machine code: nvrtcGetCUBIN gives both.

#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cc/emulator/driver/carried_ptx.h"
#include "cc/emulator/driver/preload/symbols.h"

namespace warpyard::emulator::preload {
namespace {

// nvrtcResult and nvrtcProgram (nvrtc.h).
using Result = int;
using Program = void*;
constexpr Result kSuccess = 0;
constexpr Result kInvalidInput = 3;

struct Library {
  Result (*cubin_size)(Program, size_t*) = nullptr;
  Result (*cubin)(Program, char*) = nullptr;
  Result (*ptx_size)(Program, size_t*) = nullptr;
  Result (*ptx)(Program, char*) = nullptr;
  Result (*destroy)(Program*) = nullptr;

  std::mutex mutex;
  std::map<Program, std::string> carrying;  // CUBINs with PTX
};

Library& TheLibrary() {
  static auto& library = *new Library;
  return library;
}

// The program's CUBIN with its PTX, or as it is where there is no PTX.
Result Carrying(Program program, std::string* image) {
  Library& library = TheLibrary();
  size_t size = 0;
  if (const Result result = library.cubin_size(program, &size); result != kSuccess) return result;
  image->resize(size);
  if (size == 0) return kSuccess;
  if (const Result result = library.cubin(program, image->data()); result != kSuccess) {
    return result;
  }
  size_t ptx_size = 0;
  if (library.ptx_size(program, &ptx_size) != kSuccess || ptx_size <= 1) return kSuccess;
  std::string ptx(ptx_size, '\0');
  if (library.ptx(program, ptx.data()) != kSuccess) return kSuccess;
  ptx.resize(std::strlen(ptx.c_str()));
  if (absl::StatusOr<std::string> carrying = driver::CarryPtx(*image, {ptx}); carrying.ok()) {
    *image = *std::move(carrying);
  }
  return kSuccess;
}

Result GetCubinSize(Program program, size_t* size) {
  if (size == nullptr) return kInvalidInput;
  std::string image;
  if (const Result result = Carrying(program, &image); result != kSuccess) return result;
  *size = image.size();
  Library& library = TheLibrary();
  const std::lock_guard<std::mutex> lock(library.mutex);
  library.carrying[program] = std::move(image);
  return kSuccess;
}

Result GetCubin(Program program, char* cubin) {
  if (cubin == nullptr) return kInvalidInput;
  Library& library = TheLibrary();
  {
    const std::lock_guard<std::mutex> lock(library.mutex);
    // Who has not asked for the size has room for NVRTC's own.
    if (const auto found = library.carrying.find(program); found != library.carrying.end()) {
      std::memcpy(cubin, found->second.data(), found->second.size());
      return kSuccess;
    }
  }
  return library.cubin(program, cubin);
}

Result DestroyProgram(Program* program) {
  Library& library = TheLibrary();
  if (program != nullptr) {
    const std::lock_guard<std::mutex> lock(library.mutex);
    library.carrying.erase(*program);
  }
  return library.destroy(program);
}

}  // namespace

void* ReplaceNvrtc(void* handle, std::string_view name, void* real) {
  Library& library = TheLibrary();
  const auto find = [&](auto& function, const char* symbol) {
    function =
        reinterpret_cast<std::remove_reference_t<decltype(function)>>(RealSymbol(handle, symbol));
    return function != nullptr;
  };
  {
    const std::lock_guard<std::mutex> lock(library.mutex);
    if (!find(library.cubin_size, "nvrtcGetCUBINSize") || !find(library.cubin, "nvrtcGetCUBIN") ||
        !find(library.ptx_size, "nvrtcGetPTXSize") || !find(library.ptx, "nvrtcGetPTX") ||
        !find(library.destroy, "nvrtcDestroyProgram")) {
      return nullptr;
    }
  }
  if (name == "nvrtcGetCUBINSize") return reinterpret_cast<void*>(&GetCubinSize);
  if (name == "nvrtcGetCUBIN") return reinterpret_cast<void*>(&GetCubin);
  if (name == "nvrtcDestroyProgram") return reinterpret_cast<void*>(&DestroyProgram);
  return nullptr;
}

}  // namespace warpyard::emulator::preload
