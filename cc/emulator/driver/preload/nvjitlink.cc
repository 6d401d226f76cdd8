// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// nvJitLink: the PTX that goes in comes out with the CUBIN. Of code for
// link-time optimisation a second link makes PTX.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/emulator/driver/carried_ptx.h"
#include "cc/emulator/driver/fatbin.h"
#include "cc/emulator/driver/preload/symbols.h"

namespace warpyard::emulator::preload {
namespace {

// nvJitLinkResult, nvJitLinkHandle and nvJitLinkInputType (nvJitLink.h).
using Result = int;
using Handle = void*;
constexpr Result kSuccess = 0;
enum InputType { kCubin = 1, kPtx, kLtoir, kFatbin, kObject, kLibrary, kIndex, kAny = 10 };

struct Link {
  std::vector<std::string> options;
  std::vector<std::string> ptx;
  std::vector<std::pair<std::string, std::string>> ltoir;  // data, name
  int architecture = 0;                                    // 90 of -arch=sm_90a; 0: not said
  std::string image;  // the CUBIN with PTX, once it was asked for
};

struct Library {
  Result (*create)(Handle*, uint32_t, const char**) = nullptr;
  Result (*destroy)(Handle*) = nullptr;
  Result (*add_data)(Handle, int, const void*, size_t, const char*) = nullptr;
  Result (*add_file)(Handle, int, const char*) = nullptr;
  Result (*complete)(Handle) = nullptr;
  Result (*cubin_size)(Handle, size_t*) = nullptr;
  Result (*cubin)(Handle, void*) = nullptr;
  Result (*ptx_size)(Handle, size_t*) = nullptr;
  Result (*ptx)(Handle, char*) = nullptr;

  std::mutex mutex;
  std::map<Handle, Link> links;
};

Library& TheLibrary() {
  static auto& library = *new Library;
  return library;
}

// The PTX in an input.
void Note(Link& link, int type, std::string_view data, const char* name) {
  if (type == kAny) {
    if (data.starts_with("\177ELF")) {
      type = kObject;
    } else if (data.starts_with(driver::kFatbinMagic)) {
      type = kFatbin;
    } else {
      type = data.find(".version") != data.npos ? kPtx : kLtoir;
    }
  }
  switch (type) {
    case kPtx:
      link.ptx.emplace_back(data.substr(0, data.find('\0')));
      break;
    case kLtoir:
      link.ltoir.emplace_back(std::string(data), name == nullptr ? "" : name);
      break;
    case kCubin:
      for (std::string& each : driver::FindCarriedPtx(data)) link.ptx.push_back(std::move(each));
      break;
    default: {
      // Host objects and archives hold fatbins somewhere.
      for (std::string& each : driver::FindCarriedPtx(data)) link.ptx.push_back(std::move(each));
      for (size_t at = data.find(driver::kFatbinMagic); at != data.npos;
           at = data.find(driver::kFatbinMagic, at + 4)) {
        const auto entries = driver::ReadFatbin(data.substr(at));
        if (!entries.ok()) continue;
        const driver::FatbinEntry* best = nullptr;
        for (const driver::FatbinEntry& entry : *entries) {
          if (entry.kind != driver::FatbinEntry::Kind::kPtx) continue;
          if (link.architecture > 0 && entry.architecture > link.architecture) continue;
          if (best == nullptr || best->architecture < entry.architecture) best = &entry;
        }
        if (best != nullptr) link.ptx.push_back(best->data);
      }
    }
  }
}

// PTX of the inputs for link-time optimisation; "" where that fails.
std::string LinkToPtx(const Link& link) {
  Library& library = TheLibrary();
  std::vector<const char*> options;
  for (const std::string& option : link.options) {
    if (option != "-ptx" && option.rfind("-kernels-used", 0) != 0)
      options.push_back(option.c_str());
  }
  options.push_back("-ptx");
  Handle handle = nullptr;
  if (library.create(&handle, static_cast<uint32_t>(options.size()), options.data()) != kSuccess) {
    return "";
  }
  std::string ptx;
  bool good = true;
  for (const auto& [data, name] : link.ltoir) {
    good = good &&
           library.add_data(handle, kLtoir, data.data(), data.size(), name.c_str()) == kSuccess;
  }
  size_t size = 0;
  if (good && library.complete(handle) == kSuccess && library.ptx_size(handle, &size) == kSuccess &&
      size > 0) {
    ptx.resize(size);
    if (library.ptx(handle, ptx.data()) != kSuccess) ptx.clear();
    ptx.resize(std::strlen(ptx.c_str()));
  }
  library.destroy(&handle);
  return ptx;
}

Result Create(Handle* handle, uint32_t count, const char** options) {
  Library& library = TheLibrary();
  const Result result = library.create(handle, count, options);
  if (result != kSuccess) return result;
  Link link;
  for (uint32_t i = 0; i < count; ++i) {
    link.options.emplace_back(options[i]);
    const size_t arch = link.options.back().find("-arch=");
    const size_t number = link.options.back().find('_');
    if (arch != std::string::npos && number != std::string::npos) {
      link.architecture = std::atoi(link.options.back().c_str() + number + 1);
    }
  }
  const std::lock_guard<std::mutex> lock(library.mutex);
  library.links[*handle] = std::move(link);
  return result;
}

Result Destroy(Handle* handle) {
  Library& library = TheLibrary();
  if (handle != nullptr) {
    const std::lock_guard<std::mutex> lock(library.mutex);
    library.links.erase(*handle);
  }
  return library.destroy(handle);
}

Result AddData(Handle handle, int type, const void* data, size_t size, const char* name) {
  Library& library = TheLibrary();
  if (data != nullptr) {
    const std::lock_guard<std::mutex> lock(library.mutex);
    Note(library.links[handle], type, {static_cast<const char*>(data), size}, name);
  }
  return library.add_data(handle, type, data, size, name);
}

Result AddFile(Handle handle, int type, const char* path) {
  Library& library = TheLibrary();
  if (path != nullptr) {
    std::ifstream file(path, std::ios::binary);
    const std::string data{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const std::lock_guard<std::mutex> lock(library.mutex);
    if (!data.empty()) Note(library.links[handle], type, data, path);
  }
  return library.add_file(handle, type, path);
}

Result GetLinkedCubinSize(Handle handle, size_t* size) {
  Library& library = TheLibrary();
  const Result result = library.cubin_size(handle, size);
  if (result != kSuccess || *size == 0) return result;
  Link link;
  {
    const std::lock_guard<std::mutex> lock(library.mutex);
    link = library.links[handle];
  }
  std::string image(*size, '\0');
  if (library.cubin(handle, image.data()) != kSuccess) return result;
  if (!link.ltoir.empty()) {
    if (std::string ptx = LinkToPtx(link); !ptx.empty()) link.ptx.push_back(std::move(ptx));
  }
  if (link.ptx.empty()) return result;
  absl::StatusOr<std::string> carrying =
      driver::CarryPtx(image, {link.ptx.begin(), link.ptx.end()});
  if (!carrying.ok()) return result;
  *size = carrying->size();
  const std::lock_guard<std::mutex> lock(library.mutex);
  library.links[handle].image = *std::move(carrying);
  return kSuccess;
}

Result GetLinkedCubin(Handle handle, void* cubin) {
  Library& library = TheLibrary();
  {
    const std::lock_guard<std::mutex> lock(library.mutex);
    const std::string& image = library.links[handle].image;
    if (!image.empty()) {
      std::memcpy(cubin, image.data(), image.size());
      return kSuccess;
    }
  }
  return library.cubin(handle, cubin);
}

}  // namespace

void* ReplaceNvjitlink(void* handle, std::string_view name, void* real) {
  // "__nvJitLinkCreate_13_5" or "nvJitLinkCreate".
  const size_t begin = name.find("nvJitLink");
  std::string_view function = name.substr(begin + 9);
  std::string_view suffix;
  if (const size_t end = function.find('_'); end != function.npos) {
    suffix = function.substr(end);
    function = function.substr(0, end);
  }
  void* replacement = function == "Create"    ? reinterpret_cast<void*>(&Create)
                      : function == "Destroy" ? reinterpret_cast<void*>(&Destroy)
                      : function == "AddData" ? reinterpret_cast<void*>(&AddData)
                      : function == "AddFile" ? reinterpret_cast<void*>(&AddFile)
                      : function == "GetLinkedCubinSize"
                          ? reinterpret_cast<void*>(&GetLinkedCubinSize)
                      : function == "GetLinkedCubin" ? reinterpret_cast<void*>(&GetLinkedCubin)
                                                     : nullptr;
  if (replacement == nullptr) return nullptr;
  Library& library = TheLibrary();
  const auto find = [&](auto& found, std::string_view symbol) {
    found = reinterpret_cast<std::remove_reference_t<decltype(found)>>(RealSymbol(
        handle, absl::StrCat(name.substr(0, begin), "nvJitLink", symbol, suffix).c_str()));
    return found != nullptr;
  };
  const std::lock_guard<std::mutex> lock(library.mutex);
  const bool all = find(library.create, "Create") && find(library.destroy, "Destroy") &&
                   find(library.add_data, "AddData") && find(library.add_file, "AddFile") &&
                   find(library.complete, "Complete") &&
                   find(library.cubin_size, "GetLinkedCubinSize") &&
                   find(library.cubin, "GetLinkedCubin") &&
                   find(library.ptx_size, "GetLinkedPtxSize") && find(library.ptx, "GetLinkedPtx");
  return all ? replacement : nullptr;
}

}  // namespace warpyard::emulator::preload
