// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/cubin_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "cc/base/status_macros.h"
#include "cc/ptx/elf64.h"

namespace warpyard::ptx {
namespace {

constexpr uint16_t kMachineCuda = 190;
constexpr uint8_t kEntryBit = 0x10;  // in a symbol's st_other: a kernel

// Since compute capability 9.0, .nv.shared.KERNEL begins with what the system
// keeps (CUDA C++ Programming Guide, "Compute Capability 9.0": 1 KB per block).
// Code for older GPUs does not show it, though 8.x keeps as much.
constexpr int64_t kReservedShared = 1024;
constexpr ComputeCapability kFirstWithReservedShared(9, 0);

constexpr uint32_t kUnknownStack = 0xffffffff;
// Larger figures than these are damage: no GPU comes near them.
constexpr uint32_t kMaxRegisters = 1024;
constexpr uint32_t kMaxThreads = 1 << 20;
constexpr uint64_t kMaxBytes = uint64_t{1} << 40;

// Formats and numbers of attributes in .nv.info and .nv.compat.
enum Format : uint8_t { kNoValue = 1, kByte = 2, kHalf = 3, kSized = 4 };
enum Attribute : uint8_t {
  kMaxThreadsAttribute = 0x05,
  kRequiredThreads = 0x10,
  kFrameSize = 0x11,
  kMinStackSize = 0x12,
  kRegisterCount = 0x2f,
  kBarrierCount = 0x4c,
};
constexpr uint8_t kCompatAcceleratorTarget = 0x09;

absl::Status Broken(std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("not a sound CUBIN: ", what));
}

// Calls visit(attribute, format, value bytes) for each attribute of a section.
template <typename Visitor>
absl::Status ForEachAttribute(const ElfSection& section, Visitor visit) {
  std::string_view rest = section.bytes;
  while (!rest.empty()) {
    if (rest.size() < 4) return Broken(absl::StrCat("section ", section.name, " is cut off"));
    const uint8_t format = LoadU8(rest, 0);
    const uint8_t attribute = LoadU8(rest, 1);
    size_t begin = 2;
    size_t size = 2;
    switch (format) {
      case kNoValue:
      case kByte:
      case kHalf:
        break;
      case kSized:
        begin = 4;
        size = LoadU16(rest, 2);
        break;
      default:
        return Broken(
            absl::StrCat("section ", section.name, " has an attribute of format ", format));
    }
    if (size > rest.size() - begin) {
      return Broken(absl::StrCat("an attribute of section ", section.name, " is cut off"));
    }
    WARPYARD_RETURN_IF_ERROR(visit(attribute, format, rest.substr(begin, size)));
    rest.remove_prefix(begin + size);
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> Bytes(uint64_t size, std::string_view what) {
  if (size > kMaxBytes) return Broken(absl::StrCat(what, " of ", size, " bytes"));
  return static_cast<int64_t>(size);
}

class Reader {
 public:
  explicit Reader(const Elf64View& elf) : elf_(elf) {}

  absl::StatusOr<Cubin> Read() && {
    if (elf_.machine() != kMachineCuda) {
      return Broken(
          absl::StrCat("an ELF file for machine ", elf_.machine(), ", not CUDA's ", kMachineCuda));
    }
    WARPYARD_RETURN_IF_ERROR(IndexSections());
    WARPYARD_RETURN_IF_ERROR(ReadTarget());
    cubin_.relocatable = elf_.type() == Elf64View::kRelocatable;
    WARPYARD_RETURN_IF_ERROR(FindKernels());
    WARPYARD_RETURN_IF_ERROR(ReadModuleAttributes());
    for (auto& [name, kernel] : kernels_) {
      WARPYARD_RETURN_IF_ERROR(ReadKernel(name, kernel));
      cubin_.kernels.push_back(std::move(kernel));
    }
    return std::move(cubin_);
  }

 private:
  absl::Status IndexSections() {
    for (const ElfSection& section : elf_.sections()) {
      by_name_.try_emplace(section.name, &section);
      std::string_view name = section.name;
      if (!absl::ConsumePrefix(&name, ".nv.constant")) continue;
      // ".nv.constant3" is every kernel's; ".nv.constant0.KERNEL" is one's.
      size_t digits = 0;
      while (digits < name.size() &&
             absl::ascii_isdigit(static_cast<unsigned char>(name[digits]))) {
        ++digits;
      }
      WARPYARD_ASSIGN_OR_RETURN(const int64_t bytes, Bytes(section.size, section.name));
      if (digits == name.size()) {
        shared_constant_bytes_ += bytes;
      } else if (name[digits] == '.') {
        constant_bytes_[name.substr(digits + 1)] += bytes;
      }
    }
    return absl::OkStatus();
  }

  absl::Status ReadTarget() {
    uint32_t sm = 0;
    bool accelerated = false;
    switch (elf_.abi_version()) {
      case 7:
        sm = elf_.flags() & 0xff;
        accelerated = (elf_.flags() & 0x800) != 0;
        break;
      case 8: {
        sm = (elf_.flags() >> 8) & 0xff;
        accelerated = (elf_.flags() & 0x8) != 0;
        const ElfSection* compat = Find(".nv.compat");
        if (compat == nullptr) break;
        WARPYARD_RETURN_IF_ERROR(ForEachAttribute(
            *compat, [&](uint8_t attribute, uint8_t format, std::string_view value) {
              if (attribute == kCompatAcceleratorTarget && format == kByte) {
                accelerated = accelerated || LoadU8(value, 0) != 0;
              }
              return absl::OkStatus();
            }));
        break;
      }
      default:
        return absl::UnimplementedError(absl::StrCat("the CUBIN is of ABI version ",
                                                     elf_.abi_version(), "; known are 7 and 8"));
    }
    const int major = static_cast<int>(sm / 10);
    if (major == 0) return Broken(absl::StrCat("it is for sm_", sm));
    cubin_.target = ComputeCapability(
        major, static_cast<int>(sm % 10),
        accelerated ? ComputeCapability::Kind::kArch : ComputeCapability::Kind::kPlain);
    return absl::OkStatus();
  }

  absl::Status FindKernels() {
    for (const ElfSymbol& symbol : elf_.symbols()) {
      if (symbol.type != ElfSymbol::kFunction || (symbol.other & kEntryBit) == 0) continue;
      if (symbol.section == ElfSymbol::kUndefined || symbol.section >= ElfSymbol::kReserved) {
        continue;
      }
      if (symbol.name.empty()) return Broken("a kernel has no name");
      CubinKernel& kernel = kernels_[symbol.name];
      kernel.resources.name = std::string(symbol.name);
      const ElfSection& text = elf_.sections()[symbol.section];
      if (elf_.abi_version() == 7) {
        kernel.resources.barriers = static_cast<int>((text.flags >> 20) & 0x7f);
      }
    }
    return absl::OkStatus();
  }

  // .nv.info holds pairs of a symbol and a figure.
  absl::Status ReadModuleAttributes() {
    const ElfSection* info = Find(".nv.info");
    if (info == nullptr) return absl::OkStatus();
    return ForEachAttribute(
        *info, [&](uint8_t attribute, uint8_t format, std::string_view value) -> absl::Status {
          if (attribute != kRegisterCount && attribute != kFrameSize &&
              attribute != kMinStackSize) {
            return absl::OkStatus();
          }
          if (format != kSized || value.size() < 8) {
            return Broken(absl::StrCat("attribute ", attribute, " of .nv.info holds ", value.size(),
                                       " bytes, not 8"));
          }
          const uint32_t symbol = LoadU32(value, 0);
          if (symbol >= elf_.symbols().size()) {
            return Broken(absl::StrCat("attribute ", attribute, " of .nv.info is of symbol ",
                                       symbol, " of ", elf_.symbols().size()));
          }
          const auto kernel = kernels_.find(elf_.symbols()[symbol].name);
          if (kernel == kernels_.end()) return absl::OkStatus();
          return SetFigure(attribute, LoadU32(value, 4), kernel->second);
        });
  }

  absl::Status SetFigure(uint8_t attribute, uint32_t figure, CubinKernel& kernel) {
    KernelResources& resources = kernel.resources;
    switch (attribute) {
      case kRegisterCount:
        if (figure > kMaxRegisters) {
          return Broken(absl::StrCat("kernel '", resources.name, "' has ", figure, " registers"));
        }
        resources.registers = static_cast<int>(figure);
        break;
      case kFrameSize:
        resources.local_bytes = std::max<int64_t>(resources.local_bytes, figure);
        break;
      case kMinStackSize:
        if (figure == kUnknownStack) {
          kernel.whole_stack_known = false;
        } else {
          resources.local_bytes = std::max<int64_t>(resources.local_bytes, figure);
        }
        break;
    }
    return absl::OkStatus();
  }

  absl::Status ReadKernel(std::string_view name, CubinKernel& kernel) {
    KernelResources& resources = kernel.resources;
    resources.constant_bytes = shared_constant_bytes_;
    if (const auto own = constant_bytes_.find(name); own != constant_bytes_.end()) {
      resources.constant_bytes += own->second;
    }
    if (const ElfSection* shared = Find(absl::StrCat(".nv.shared.", name)); shared != nullptr) {
      WARPYARD_ASSIGN_OR_RETURN(const int64_t bytes, Bytes(shared->size, shared->name));
      if (cubin_.target.Plain() >= kFirstWithReservedShared && bytes >= kReservedShared) {
        kernel.reserved_shared_bytes = kReservedShared;
      }
      resources.static_shared_bytes = bytes - kernel.reserved_shared_bytes;
    }
    const ElfSection* info = Find(absl::StrCat(".nv.info.", name));
    if (info == nullptr) return absl::OkStatus();
    return ForEachAttribute(
        *info, [&](uint8_t attribute, uint8_t format, std::string_view value) -> absl::Status {
          if (attribute == kBarrierCount && format == kByte) {
            resources.barriers = LoadU8(value, 0);
          }
          if ((attribute == kMaxThreadsAttribute || attribute == kRequiredThreads) &&
              format == kSized) {
            return ReadThreads(value, resources);
          }
          return absl::OkStatus();
        });
  }

  absl::Status ReadThreads(std::string_view value, KernelResources& resources) {
    if (value.size() < 12) {
      return Broken(absl::StrCat("the thread bound of kernel '", resources.name, "' holds ",
                                 value.size(), " bytes, not 12"));
    }
    uint64_t threads = 1;
    for (size_t i = 0; i < 3; ++i) {
      threads *= LoadU32(value, 4 * i);  // below 2^20 * 2^32: no overflow
      if (threads > kMaxThreads) {
        return Broken(absl::StrCat("kernel '", resources.name, "' is bounded to ", threads,
                                   " threads or more per block"));
      }
    }
    resources.max_threads_per_block = static_cast<int>(threads);
    return absl::OkStatus();
  }

  const ElfSection* Find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

  const Elf64View& elf_;
  Cubin cubin_;
  std::map<std::string_view, CubinKernel> kernels_;  // ordered: it reaches the output
  std::map<std::string_view, const ElfSection*> by_name_;
  std::map<std::string_view, int64_t> constant_bytes_;  // by kernel
  int64_t shared_constant_bytes_ = 0;
};

}  // namespace

absl::StatusOr<Cubin> ReadCubin(std::string_view bytes) {
  WARPYARD_ASSIGN_OR_RETURN(const Elf64View elf, Elf64View::Parse(bytes));
  return Reader(elf).Read();
}

}  // namespace warpyard::ptx
