// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/driver/soname.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "absl/status/status.h"

namespace warpyard::driver {
namespace {

// In the range for operating systems, and not used by any: loaders pass over it.
constexpr int64_t kIgnoredTag = DT_LOOS;

// Reads a structure at `offset`, if it lies within the bytes.
template <typename T>
bool Read(const std::string& bytes, uint64_t offset, T& value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return true;
}

}  // namespace

absl::Status DropSoname(std::string& library) {
  const absl::Status damaged =
      absl::InvalidArgumentError("the emulated driver is no 64-bit ELF library, or is damaged");
  Elf64_Ehdr header;
  if (!Read(library, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) {
    return damaged;
  }
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!Read(library, header.e_phoff + i * sizeof(segment), segment)) return damaged;
    if (segment.p_type != PT_DYNAMIC) continue;
    for (uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment.p_filesz; at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry;
      if (!Read(library, segment.p_offset + at, entry)) return damaged;
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag != DT_SONAME) continue;
      entry.d_tag = kIgnoredTag;
      std::memcpy(library.data() + segment.p_offset + at, &entry, sizeof(entry));
    }
  }
  return absl::OkStatus();
}

}  // namespace warpyard::driver
