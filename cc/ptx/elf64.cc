// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/elf64.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace warpyard::ptx {
namespace {

constexpr std::string_view kMagic =
    "\x7f"
    "ELF";
constexpr uint8_t kClass64 = 2;
constexpr uint8_t kLittleEndian = 1;
constexpr size_t kHeaderSize = 64;
constexpr size_t kSectionHeaderSize = 64;
constexpr size_t kSymbolSize = 24;

absl::Status Broken(std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("not a sound ELF64 file: ", what));
}

// The `size` bytes at `offset`, or nullopt if any of them is outside. Written so
// that no sum can overflow.
std::optional<std::string_view> Range(std::string_view bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return std::nullopt;
  return bytes.substr(static_cast<size_t>(offset), static_cast<size_t>(size));
}

// The zero-terminated string at `offset` of a string table.
std::optional<std::string_view> StringAt(std::string_view table, uint32_t offset) {
  if (offset >= table.size()) return std::nullopt;
  const size_t end = table.find('\0', offset);
  if (end == table.npos) return std::nullopt;
  return table.substr(offset, end - offset);
}

absl::StatusOr<std::vector<ElfSymbol>> ParseSymbols(const ElfSection& table,
                                                    const std::vector<ElfSection>& sections) {
  if (table.bytes.size() % kSymbolSize != 0) {
    return Broken(absl::StrCat("the symbol table's size ", table.bytes.size(),
                               " is no multiple of ", kSymbolSize));
  }
  if (table.link >= sections.size()) return Broken("the symbol table names no string table");
  const std::string_view strings = sections[table.link].bytes;
  std::vector<ElfSymbol> symbols;
  symbols.reserve(table.bytes.size() / kSymbolSize);
  for (size_t at = 0; at < table.bytes.size(); at += kSymbolSize) {
    ElfSymbol symbol;
    const uint32_t name = LoadU32(table.bytes, at);
    const std::optional<std::string_view> text = StringAt(strings, name);
    if (!text.has_value() && name != 0) {
      return Broken(absl::StrCat("the name of symbol ", symbols.size(), " is outside its table"));
    }
    symbol.name = text.value_or("");
    const uint8_t info = LoadU8(table.bytes, at + 4);
    symbol.type = info & 0xf;
    symbol.binding = info >> 4;
    symbol.other = LoadU8(table.bytes, at + 5);
    symbol.section = LoadU16(table.bytes, at + 6);
    symbol.value = LoadU64(table.bytes, at + 8);
    symbol.size = LoadU64(table.bytes, at + 16);
    if (symbol.section >= sections.size() && symbol.section < ElfSymbol::kReserved) {
      return Broken(absl::StrCat("symbol ", symbols.size(), " is of section ", symbol.section,
                                 " of ", sections.size()));
    }
    symbols.push_back(symbol);
  }
  return symbols;
}

}  // namespace

uint8_t LoadU8(std::string_view bytes, size_t offset) {
  return static_cast<uint8_t>(bytes[offset]);
}
uint16_t LoadU16(std::string_view bytes, size_t offset) {
  return static_cast<uint16_t>(LoadU8(bytes, offset) | LoadU8(bytes, offset + 1) << 8);
}
uint32_t LoadU32(std::string_view bytes, size_t offset) {
  return LoadU16(bytes, offset) | static_cast<uint32_t>(LoadU16(bytes, offset + 2)) << 16;
}
uint64_t LoadU64(std::string_view bytes, size_t offset) {
  return LoadU32(bytes, offset) | static_cast<uint64_t>(LoadU32(bytes, offset + 4)) << 32;
}

absl::StatusOr<Elf64View> Elf64View::Parse(std::string_view bytes) {
  if (bytes.size() < kHeaderSize) {
    return Broken(absl::StrCat(bytes.size(), " bytes are fewer than a header's ", kHeaderSize));
  }
  if (!absl::StartsWith(bytes, kMagic)) return Broken("it does not begin with the ELF mark");
  if (LoadU8(bytes, 4) != kClass64) return Broken("it is not of the 64-bit class");
  if (LoadU8(bytes, 5) != kLittleEndian) return Broken("it is not little-endian");

  Elf64View view;
  view.os_abi_ = LoadU8(bytes, 7);
  view.abi_version_ = LoadU8(bytes, 8);
  view.type_ = LoadU16(bytes, 16);
  view.machine_ = LoadU16(bytes, 18);
  view.flags_ = LoadU32(bytes, 48);
  const uint64_t sections_at = LoadU64(bytes, 40);
  const uint16_t entry_size = LoadU16(bytes, 58);
  const uint16_t count = LoadU16(bytes, 60);
  const uint16_t names_index = LoadU16(bytes, 62);
  if (count == 0) return view;
  if (entry_size != kSectionHeaderSize) {
    return Broken(
        absl::StrCat("section headers of ", entry_size, " bytes, not ", kSectionHeaderSize));
  }
  const std::optional<std::string_view> headers =
      Range(bytes, sections_at, uint64_t{count} * kSectionHeaderSize);
  if (!headers.has_value()) {
    return Broken(absl::StrCat("the ", count, " section headers at ", sections_at,
                               " are not inside its ", bytes.size(), " bytes"));
  }
  if (names_index >= count) return Broken("no section holds the section names");

  view.sections_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    ElfSection& section = view.sections_[i];
    const size_t at = i * kSectionHeaderSize;
    section.type = LoadU32(*headers, at + 4);
    section.flags = LoadU64(*headers, at + 8);
    section.size = LoadU64(*headers, at + 32);
    section.link = LoadU32(*headers, at + 40);
    section.info = LoadU32(*headers, at + 44);
    if (section.type == 0 || section.type == ElfSection::kNoBits) continue;
    const uint64_t offset = LoadU64(*headers, at + 24);
    const std::optional<std::string_view> contents = Range(bytes, offset, section.size);
    if (!contents.has_value()) {
      return Broken(absl::StrCat("section ", i, " (", section.size, " bytes at ", offset,
                                 ") is not inside its ", bytes.size(), " bytes"));
    }
    section.bytes = *contents;
  }
  const std::string_view names = view.sections_[names_index].bytes;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t name = LoadU32(*headers, i * kSectionHeaderSize);
    const std::optional<std::string_view> text = StringAt(names, name);
    if (!text.has_value() && name != 0) {
      return Broken(absl::StrCat("the name of section ", i, " is outside its table"));
    }
    view.sections_[i].name = text.value_or("");
  }
  for (const ElfSection& section : view.sections_) {
    if (section.type != ElfSection::kSymbolTable) continue;
    absl::StatusOr<std::vector<ElfSymbol>> symbols = ParseSymbols(section, view.sections_);
    if (!symbols.ok()) return symbols.status();
    view.symbols_ = *std::move(symbols);
    break;
  }
  return view;
}

}  // namespace warpyard::ptx
