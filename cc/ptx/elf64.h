// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A little-endian ELF64 file as its sections and symbols. The bytes are not
// trusted: every offset, size and index is checked before it is followed.
//
// Source: System V ABI, chapter 4 "Object Files", and "ELF-64 Object File
// Format", version 1.5.

#ifndef WARPYARD_CC_PTX_ELF64_H_
#define WARPYARD_CC_PTX_ELF64_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace warpyard::ptx {

struct ElfSection {
  std::string_view name;
  uint32_t type = 0;   // SHT_*
  uint64_t flags = 0;  // SHF_*
  uint32_t link = 0;
  uint32_t info = 0;
  uint64_t size = 0;  // in the running program; `bytes` is empty for SHT_NOBITS
  std::string_view bytes;

  static constexpr uint32_t kSymbolTable = 2;
  static constexpr uint32_t kNoBits = 8;
};

struct ElfSymbol {
  std::string_view name;
  uint8_t type = 0;      // STT_*
  uint8_t binding = 0;   // STB_*
  uint8_t other = 0;     // visibility and bits of the processor's own
  uint16_t section = 0;  // index, or a reserved one from kReserved up
  uint64_t value = 0;
  uint64_t size = 0;

  static constexpr uint8_t kFunction = 2;
  static constexpr uint8_t kGlobal = 1;
  static constexpr uint8_t kWeak = 2;
  static constexpr uint16_t kUndefined = 0;
  static constexpr uint16_t kReserved = 0xff00;
};

// A view: all strings and bytes point into what Parse was given, which must
// outlive it.
class Elf64View {
 public:
  static constexpr uint16_t kRelocatable = 1;  // ET_REL
  static constexpr uint16_t kExecutable = 2;   // ET_EXEC

  // INVALID_ARGUMENT, saying where the file breaks the format, unless the
  // header, all sections and the symbol table (the first, if there are several)
  // lie within `bytes`. A file without symbols is fine.
  static absl::StatusOr<Elf64View> Parse(std::string_view bytes);

  uint8_t os_abi() const { return os_abi_; }
  uint8_t abi_version() const { return abi_version_; }
  uint16_t type() const { return type_; }        // ET_*
  uint16_t machine() const { return machine_; }  // EM_*; 190 is CUDA
  uint32_t flags() const { return flags_; }

  // As in the file: the first is the null section, and symbols index into it.
  const std::vector<ElfSection>& sections() const { return sections_; }

  // As in the file: the first is the null symbol.
  const std::vector<ElfSymbol>& symbols() const { return symbols_; }

 private:
  uint8_t os_abi_ = 0;
  uint8_t abi_version_ = 0;
  uint16_t type_ = 0;
  uint16_t machine_ = 0;
  uint32_t flags_ = 0;
  std::vector<ElfSection> sections_;
  std::vector<ElfSymbol> symbols_;
};

// Reads little-endian integers from `bytes` at `offset`. The caller has checked
// that they are there.
uint8_t LoadU8(std::string_view bytes, size_t offset);
uint16_t LoadU16(std::string_view bytes, size_t offset);
uint32_t LoadU32(std::string_view bytes, size_t offset);
uint64_t LoadU64(std::string_view bytes, size_t offset);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_ELF64_H_
