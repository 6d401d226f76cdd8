// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Decodes and runs single PTX statements for tests written in Python, which have
// arbitrary precision. Reads lines and answers each with one:
//
//   decode TARGET, STATEMENT           -> "ok" or "unimplemented: …" or "invalid: …"
//   run TARGET, STATEMENT, KINDS, ROWS   -> the destination rows
//
// Fields are separated by tabs. KINDS has a letter for each row, destinations first: w 32 bits, d
// 64, q 128, p a predicate. ROWS are the source rows, then the previous values of the destinations,
// then the mask, as hexadecimal numbers separated by spaces: 32 for each row (a predicate: one).

#include <cstdint>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cc/emulator/operations/testing/single_operation.h"

namespace warpyard::emulator {
namespace {

std::string Describe(const absl::Status& status) {
  std::string message(status.message());
  for (char& c : message) {
    if (c == '\n') c = ' ';
  }
  return absl::StrCat(absl::IsUnimplemented(status) ? "unimplemented: " : "invalid: ", message);
}

void ReadRow(std::istream& in, SingleOperation& operation, int i, char kind) {
  if (kind == 'p') {
    in >> std::hex >> operation.predicate(i);
    return;
  }
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if (kind == 'w') {
      in >> std::hex >> operation.row<uint32_t>(i)[lane];
    } else {
      std::string text;
      in >> text;
      const bool wide = text.size() > 16;
      operation.row<uint64_t>(i)[lane] =
          std::stoull(wide ? text.substr(text.size() - 16) : text, nullptr, 16);
      if (kind == 'q') {
        operation.row<uint64_t>(i)[kWarpSize + lane] =
            wide ? std::stoull(text.substr(0, text.size() - 16), nullptr, 16) : 0;
      }
    }
  }
}

void WriteRow(std::ostream& out, SingleOperation& operation, int i, char kind) {
  out << std::hex;
  if (kind == 'p') {
    out << operation.predicate(i) << ' ';
    return;
  }
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if (kind == 'w') {
      out << operation.row<uint32_t>(i)[lane] << ' ';
    } else {
      if (kind == 'q') {
        out << absl::StrCat(absl::Hex(operation.row<uint64_t>(i)[kWarpSize + lane]),
                            absl::Hex(operation.row<uint64_t>(i)[lane], absl::kZeroPad16))
            << ' ';
      } else {
        out << operation.row<uint64_t>(i)[lane] << ' ';
      }
    }
  }
}

std::string Answer(const std::string& line) {
  const size_t space = line.find(' ');
  if (space == std::string::npos) return "invalid: no command";
  const std::string command = line.substr(0, space);
  const std::vector<std::string> fields = absl::StrSplit(line.substr(space + 1), '\t');
  if (fields.size() < 2) return "invalid: no statement";
  absl::StatusOr<std::unique_ptr<SingleOperation>> operation =
      SingleOperation::Decode(fields[1], fields[0]);
  if (!operation.ok()) return Describe(operation.status());
  if (command == "decode") return "ok";
  if (fields.size() != 4) return "invalid: run has four fields";
  const std::string& kinds = fields[2];
  const Instruction& instruction = (*operation)->instruction();
  if (kinds.size() != instruction.row_count) {
    return absl::StrCat("invalid: ", instruction.row_count, " rows");
  }
  std::istringstream in(fields[3]);
  for (int i = instruction.rows_written; i < instruction.row_count; ++i) {
    ReadRow(in, **operation, i, kinds[i]);
  }
  for (int i = 0; i < instruction.rows_written; ++i) ReadRow(in, **operation, i, kinds[i]);
  uint32_t mask = 0;
  in >> std::hex >> mask;
  (*operation)->Run(mask);
  std::ostringstream out;
  for (int i = 0; i < instruction.rows_written; ++i) WriteRow(out, **operation, i, kinds[i]);
  return out.str();
}

}  // namespace
}  // namespace warpyard::emulator

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << warpyard::emulator::Answer(line) << std::endl;
  }
  return 0;
}
