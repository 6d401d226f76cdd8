// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/carried_ptx.h"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/base/status_macros.h"

namespace warpyard::emulator::driver {
namespace {

// No CUBIN is larger; a broken header says anything.
constexpr uint64_t kLargest = uint64_t{4} << 30;
constexpr std::string_view kMark = "WARPYARD";
constexpr uint16_t kCudaMachine = 190;

absl::Status NoElf() { return absl::InvalidArgumentError("not an ELF64 file"); }

template <typename T>
T Load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <typename T>
void Append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

bool Valid(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
         (header.e_shnum == 0 || header.e_shentsize == sizeof(Elf64_Shdr)) &&
         header.e_shoff < kLargest && header.e_phoff < kLargest;
}

std::string Section(const std::vector<std::string_view>& modules) {
  std::string section(kMark);
  Append(section, static_cast<uint64_t>(modules.size()));
  for (const std::string_view module : modules) {
    Append(section, static_cast<uint64_t>(module.size()));
    section.append(module);
  }
  return section;
}

}  // namespace

absl::StatusOr<size_t> ElfSize(const void* elf) {
  const char* const bytes = static_cast<const char*>(elf);
  const Elf64_Ehdr header = Load<Elf64_Ehdr>(bytes);
  if (!Valid(header)) return NoElf();
  uint64_t size = std::max<uint64_t>(
      {sizeof(Elf64_Ehdr), header.e_shoff + uint64_t{header.e_shnum} * sizeof(Elf64_Shdr),
       header.e_phoff + uint64_t{header.e_phnum} * header.e_phentsize});
  for (uint16_t i = 0; i < header.e_shnum; ++i) {
    const auto section = Load<Elf64_Shdr>(bytes + header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL) continue;
    if (section.sh_offset > kLargest || section.sh_size > kLargest) return NoElf();
    size = std::max<uint64_t>(size, section.sh_offset + section.sh_size);
  }
  return size;
}

absl::StatusOr<std::string> CarryPtx(std::string_view cubin,
                                     const std::vector<std::string_view>& modules) {
  if (cubin.size() < sizeof(Elf64_Ehdr)) return NoElf();
  auto header = Load<Elf64_Ehdr>(cubin.data());
  const uint64_t table = uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
  if (!Valid(header) || header.e_shoff > cubin.size() || table > cubin.size() - header.e_shoff) {
    return NoElf();
  }
  // The sections stay where they are; a longer table of them goes to the end.
  std::string out(cubin);
  out.resize((out.size() + 15) / 16 * 16, '\0');
  Elf64_Shdr section{};
  section.sh_type = kCarriedPtxSection;
  section.sh_offset = out.size();
  const std::string content = Section(modules);
  section.sh_size = content.size();
  section.sh_addralign = 1;
  out += content;
  out.resize((out.size() + 15) / 16 * 16, '\0');
  const uint64_t new_table = out.size();
  out.append(cubin.substr(header.e_shoff, table));
  if (header.e_shnum == 0) {
    Append(out, Elf64_Shdr{});
    header.e_shnum = 1;
    header.e_shentsize = sizeof(Elf64_Shdr);
  }
  Append(out, section);
  header.e_shoff = new_table;
  ++header.e_shnum;
  std::memcpy(out.data(), &header, sizeof(header));
  return out;
}

std::vector<std::string> FindCarriedPtx(std::string_view cubin) {
  if (cubin.size() < sizeof(Elf64_Ehdr)) return {};
  const auto header = Load<Elf64_Ehdr>(cubin.data());
  if (!Valid(header) || header.e_shoff > cubin.size() ||
      uint64_t{header.e_shnum} * sizeof(Elf64_Shdr) > cubin.size() - header.e_shoff) {
    return {};
  }
  for (uint16_t i = 0; i < header.e_shnum; ++i) {
    const auto section = Load<Elf64_Shdr>(cubin.data() + header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type != kCarriedPtxSection) continue;
    if (section.sh_offset > cubin.size() || section.sh_size > cubin.size() - section.sh_offset) {
      return {};
    }
    std::string_view content = cubin.substr(section.sh_offset, section.sh_size);
    if (content.size() < 16 || content.substr(0, 8) != kMark) return {};
    const auto count = Load<uint64_t>(content.data() + 8);
    content.remove_prefix(16);
    std::vector<std::string> modules;
    for (uint64_t m = 0; m < count; ++m) {
      if (content.size() < 8) return {};
      const auto size = Load<uint64_t>(content.data());
      content.remove_prefix(8);
      if (size > content.size()) return {};
      modules.emplace_back(content.substr(0, size));
      content.remove_prefix(size);
    }
    return modules;
  }
  return {};
}

std::string CubinOfPtx(const std::vector<std::string_view>& modules) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = kCudaMachine;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof(header);
  header.e_shoff = sizeof(header);
  const std::string empty(reinterpret_cast<const char*>(&header), sizeof(header));
  return *CarryPtx(empty, modules);
}

}  // namespace warpyard::emulator::driver
