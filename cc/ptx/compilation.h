// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What is asked of a GPU compiler and what it answers: plain values that every
// provider, the cache and the front door share.

#ifndef WARPYARD_CC_PTX_COMPILATION_H_
#define WARPYARD_CC_PTX_COMPILATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "cc/target/compute_capability.h"

namespace warpyard::ptx {

// The languages that a provider takes in.
enum class InputKind { kCudaCpp, kNvvmIr, kPtx, kLtoIr, kCubin };

// The forms of code that a provider gives back.
enum class OutputKind { kPtx, kLtoIr, kCubin };

// One translation unit or object. `name` is what diagnostics call it (a file
// name, or anything stable); it never names a file that is opened.
struct Input {
  InputKind kind = InputKind::kCudaCpp;
  std::string name;
  std::string bytes;
};

// Options that change the code. All of them are part of a cache key.
struct CompileOptions {
  int optimization_level = 3;        // 0..3 (ptxas -O)
  bool fast_math = false;            // --use_fast_math
  bool line_info = false;            // --generate-line-info
  bool device_debug = false;         // --device-debug
  bool relocatable = false;          // --relocatable-device-code
  std::optional<int> max_registers;  // --maxrregcount, registers per thread
  std::string language_standard = "c++17";
  std::vector<std::string> defines;       // NAME or NAME=VALUE
  std::vector<std::string> include_dirs;  // searched in this order
  std::vector<std::string> extra;         // handed to the tool as they are

  friend bool operator==(const CompileOptions&, const CompileOptions&) = default;
};

// Several inputs are linked into one output.
struct CompileRequest {
  std::vector<Input> inputs;
  ComputeCapability target;
  std::vector<OutputKind> outputs;  // at least one, no repeats
  CompileOptions options;
};

// What one kernel of a CUBIN takes from the machine it runs on. Bytes and
// registers are per thread unless said otherwise.
struct KernelResources {
  std::string name;                 // mangled name, as in the symbol table
  int registers = 0;                // 32-bit registers per thread
  int64_t static_shared_bytes = 0;  // per block
  int64_t constant_bytes = 0;       // bank 0 (parameters) and others, summed
  int64_t local_bytes = 0;          // per thread (stack frame)
  int64_t spill_store_bytes = 0;    // per thread
  int64_t spill_load_bytes = 0;     // per thread
  int max_threads_per_block = 0;    // .maxntid product; 0 when not bounded
  int barriers = 0;                 // named barriers

  friend bool operator==(const KernelResources&, const KernelResources&) = default;
};

struct CompileResult {
  std::string ptx;                       // empty unless asked for
  std::string lto_ir;                    // empty unless asked for
  std::string cubin;                     // empty unless asked for
  std::vector<KernelResources> kernels;  // of the CUBIN, sorted by name
  std::vector<std::string> warnings;
  std::string log;           // the tools' own words, all of them
  std::string provider;      // who did it, and for a composite why
  std::string tool_version;  // e.g. "nvrtc 13.5 + nvjitlink 13.5"
  absl::Duration duration;   // wall time of the compilation that made this
  bool from_cache = false;
};

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_COMPILATION_H_
