// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/print_format.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"

namespace warpyard::emulator {
namespace {

constexpr int kMostArguments = 32;
// Wider fields than CUDA's buffer could hold are cut.
constexpr int kMostWidth = 4096;

template <typename T>
std::string Print(const std::string& format, T value) {
  const int length = std::snprintf(nullptr, 0, format.c_str(), value);
  if (length < 0) return "";
  std::string out(static_cast<size_t>(length) + 1, '\0');
  std::snprintf(out.data(), out.size(), format.c_str(), value);
  out.resize(static_cast<size_t>(length));
  return out;
}

}  // namespace

std::optional<std::string> FormatPrint(
    std::string_view format,
    const std::function<std::optional<uint64_t>(uint64_t offset, uint32_t bytes)>& read,
    const std::function<std::optional<std::string>(uint64_t address)>& text, int* arguments) {
  std::string out;
  uint64_t offset = 0;
  *arguments = 0;
  bool failed = false;
  const auto next = [&](uint32_t bytes) -> uint64_t {
    if (*arguments == kMostArguments) return 0;
    offset = (offset + bytes - 1) / bytes * bytes;
    const std::optional<uint64_t> value = read(offset, bytes);
    offset += bytes;
    ++*arguments;
    if (!value.has_value()) failed = true;
    return value.value_or(0);
  };
  size_t at = 0;
  while (at < format.size() && !failed) {
    const size_t percent = format.find('%', at);
    out.append(format.substr(at, percent == std::string_view::npos ? percent : percent - at));
    if (percent == std::string_view::npos) break;
    size_t i = percent + 1;
    std::string spec = "%";
    while (i < format.size() &&
           std::string_view("#0+- ").find(format[i]) != std::string_view::npos) {
      if (spec.size() < 8) spec += format[i];
      ++i;
    }
    const auto number = [&](bool is_precision) {
      int value = 0;
      if (i < format.size() && format[i] == '*') {
        ++i;
        value = static_cast<int32_t>(static_cast<uint32_t>(next(4)));
        if (value < 0) {
          if (is_precision) return std::string();  // as if it were not there
          value = value == INT32_MIN ? kMostWidth : -value;
          spec += '-';
        }
      } else {
        bool any = false;
        while (i < format.size() && format[i] >= '0' && format[i] <= '9') {
          value = std::min(value * 10 + (format[i++] - '0'), kMostWidth);
          any = true;
        }
        if (!any && !is_precision) return std::string();
      }
      return absl::StrCat(is_precision ? "." : "", std::min(value, kMostWidth));
    };
    spec += number(false);
    if (i < format.size() && format[i] == '.') {
      ++i;
      spec += number(true);
    }
    int longs = 0;
    bool wide = false;
    std::string size;
    while (i < format.size() &&
           std::string_view("hlzjtL").find(format[i]) != std::string_view::npos) {
      if (format[i] == 'l') ++longs;
      if (format[i] == 'h') size += 'h';
      if (format[i] == 'z' || format[i] == 'j' || format[i] == 't') wide = true;
      ++i;
    }
    wide |= longs > 0;
    if (i == format.size()) {  // an unfinished conversion is printed as it stands
      out.append(format.substr(percent));
      break;
    }
    const char type = format[i++];
    at = i;
    switch (type) {
      case '%':
        out += '%';
        break;
      case 'c':
        out += Print(spec + 'c', static_cast<int>(next(4)));
        break;
      case 'd':
      case 'i':
        if (wide) {
          out += Print(spec + "lld", static_cast<long long>(next(8)));
        } else {
          out += Print((size.size() > 2 ? spec : spec + size) + 'd',
                       static_cast<int>(static_cast<uint32_t>(next(4))));
        }
        break;
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        if (wide) {
          out += Print(spec + "ll" + type, static_cast<unsigned long long>(next(8)));
        } else {
          out +=
              Print((size.size() > 2 ? spec : spec + size) + type, static_cast<unsigned>(next(4)));
        }
        break;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        out += Print(spec + type, std::bit_cast<double>(next(8)));
        break;
      case 'p':
        out += Print(spec + 'p', reinterpret_cast<void*>(next(8)));
        break;
      case 's': {
        const uint64_t address = next(8);
        if (failed) break;
        std::optional<std::string> argument = address == 0 ? "(null)" : text(address);
        if (!argument.has_value()) {
          failed = true;
          break;
        }
        out += Print(spec + 's', argument->c_str());
        break;
      }
      default:  // not a conversion: printed as it stands
        out.append(format.substr(percent, i - percent));
        break;
    }
  }
  if (failed) return std::nullopt;
  return out;
}

}  // namespace warpyard::emulator
