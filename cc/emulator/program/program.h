// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Decoded code: what the interpreter runs. A module is decoded once, when it is
// loaded; afterwards it is immutable and shared by all launches.
//
// A register is a *row*: one value per lane of a warp, lane 0 first. Rows of
// 8-, 16- and 32-bit values are 32 x uint32_t with the upper bits zero; 64-bit
// values are 32 x uint64_t; 128-bit values are two such rows of 64 bits, low
// halves first. A predicate is one uint32_t, bit i for lane i.

#ifndef WARPYARD_CC_EMULATOR_PROGRAM_PROGRAM_H_
#define WARPYARD_CC_EMULATOR_PROGRAM_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cc/emulator/syntax/ast.h"
#include "cc/target/compute_capability.h"

namespace warpyard::emulator {

inline constexpr int kWarpSize = 32;

// Where a row lies: an offset in bytes from one of a warp's base pointers, so
// that registers, immediates and special registers read alike.
struct RowRef {
  enum Base : uint32_t {
    kFrame = 0,      // registers of the running function's frame
    kConstants = 1,  // immediates of the module, broadcast when it was decoded
    kSpecial = 2,    // special registers of the warp (special_rows.h)
    kScratch = 3,    // where results that nobody reads go
  };
  uint32_t base : 2 = kScratch;
  uint32_t offset : 30 = 0;
};

class Warp;
struct Instruction;
struct Function;

// What the scheduler does after an instruction.
enum class Next : uint8_t {
  kAdvance,  // go on with the next instruction
  kJumped,   // the instruction changed the warp's groups itself (branch, call, exit)
  kWait,     // not done: run the same instruction again once something changed
  kYield,    // done, but let others run first (failed try_wait, nanosleep)
  kFault,    // Warp::Fault was called; the launch ends
};

// Runs one instruction for the lanes in `mask`, which is never 0: guard and
// divergence are already taken into account. Rows of other lanes stay as they are.
using Handler = Next (*)(Warp& warp, const Instruction& instruction, uint32_t mask);

// Classes for the profile and for the sanitizer's choice of checks.
enum class OperationClass : uint8_t {
  kInteger,
  kFloat16,
  kFloat32,
  kFloat64,
  kConvert,
  kMove,
  kPredicate,
  kControl,
  kCall,
  kLoad,
  kStore,
  kAtomic,
  kBarrier,
  kFence,
  kShuffle,
  kTensor,
  kAsyncCopy,
  kSpecialFunction,
  kTensorMemory,
  kOther,
};
inline constexpr int kOperationClassCount = static_cast<int>(OperationClass::kOther) + 1;

struct Instruction {
  Handler handler = nullptr;
  // Guard: no_guard, or the predicate row to read in the frame.
  static constexpr uint32_t kNoGuard = 0xffffffff;
  uint32_t guard = kNoGuard;  // offset of the predicate in the frame
  bool guard_negated = false;
  OperationClass operation_class = OperationClass::kOther;
  uint8_t rows_written = 0;  // how many of `rows`, from the first, are destinations
  uint8_t row_count = 0;
  // Destinations, then sources. More than kInlineRows lie in `more_rows`, which
  // then holds *all* of them.
  static constexpr int kInlineRows = 5;
  RowRef rows[kInlineRows];
  uint32_t flags = 0;  // the handler's own
  const RowRef* more_rows = nullptr;
  uint64_t immediate = 0;        // the handler's own: offset, LUT, branch target pc ...
  const void* detail = nullptr;  // the handler's own, in Program's arena
  const syntax::Instruction* syntax = nullptr;  // for messages: position, source line, text

  RowRef row(int i) const { return more_rows != nullptr ? more_rows[i] : rows[i]; }
};

// A parameter of a kernel or function, laid out as the ABI does: in order, each
// at its alignment.
struct Parameter {
  std::string_view name;
  uint32_t offset = 0;     // bytes
  uint32_t size = 0;       // bytes
  uint32_t alignment = 1;  // bytes
};

// A variable of the module in .global or .const memory, or of static .shared.
struct ModuleSymbol {
  std::string_view name;
  syntax::StateSpace space = syntax::StateSpace::kGlobal;
  uint64_t size = 0;  // bytes; 0 for `extern .shared x[]`
  uint64_t alignment = 1;
  uint32_t element_size = 1;  // bytes of what x[1] is further than x[0]
  // .shared: offset in the block's static shared memory. Dynamic shared memory
  // begins behind the static part, aligned to 16 (or more where declared).
  uint64_t offset = 0;
  bool is_extern = false;
  bool is_visible = false;
  // .global and .const: initial bytes (empty: zeros), and the places in them
  // that hold addresses of symbols or functions, filled when the module is loaded.
  std::string initial;
  struct Relocation {
    uint64_t offset;
    std::string_view symbol;
    int64_t addend;
    bool generic;
    uint64_t mask;  // 0, or 0xFF<<8k: store only byte k of the address
  };
  std::vector<Relocation> relocations;
};

// A 64- or 32-bit row of a function's frame that holds an address from the moment
// the frame is made, because the address differs between blocks or threads.
struct FrameAddress {
  enum class Area : uint8_t {
    kShared,         // static .shared memory: a shared-space address
    kDynamicShared,  // `extern .shared`: the end of the kernel's static part, aligned
    kLocal,          // .local variables of this call: a local-space address (an offset)
    kParam,          // .param variables of this call (a function's parameters and
                     // results, arguments of calls): a *generic* address in the local window
    kKernelParam,    // the kernel's own parameters: a *generic* address, read-only
  };
  Area area = Area::kShared;
  uint8_t bits = 64;       // of the row: 32 or 64
  uint32_t row = 0;        // offset in the frame
  uint64_t offset = 0;     // bytes from the beginning of the area
  uint32_t alignment = 1;  // kDynamicShared
};

// A value of Program::constants that is an address of the loaded module: a
// .global or .const variable, or a function as data.
struct ConstantAddress {
  uint32_t offset = 0;  // bytes, in Program::constants; 32 values
  uint8_t bits = 64;
  std::string_view symbol;
  int64_t addend = 0;
};

// Code of one kernel or device function.
struct Function {
  std::string_view name;
  bool is_entry = false;
  bool is_declaration = false;
  const syntax::Function* syntax = nullptr;
  uint32_t id = 0;  // index in Program::functions; its address as data is kCodeWindow | id << 4

  std::vector<Instruction> code;  // ends with an implicit `ret`/`exit`
  uint32_t frame_bytes = 0;       // rows and predicates of the function
  uint32_t local_bytes = 0;       // .local variables per thread, without alloca
  // .param variables per thread: own parameters, results and those declared for calls.
  uint32_t param_bytes = 0;
  std::vector<Parameter> parameters;  // offsets: for entries in the launch's buffer,
                                      // for functions in the per-thread param area
  std::vector<Parameter> results;
  uint32_t parameter_bytes = 0;  // an entry's whole parameter buffer
  // Rows that are filled when a frame of the function is made.
  std::vector<FrameAddress> frame_addresses;

  // .reqntid, .maxntid, .reqnctapercluster, .maxclusterrank, .minnctapersm,
  // .explicitcluster; 0 where not said.
  uint32_t required_block[3] = {0, 0, 0};
  uint32_t max_block_threads = 0;
  uint32_t required_cluster[3] = {0, 0, 0};
  bool explicit_cluster = false;
  bool blocks_are_clusters = false;  // .blocksareclusters: a grid's size counts clusters
  uint32_t max_cluster_rank = 0;
  uint32_t min_blocks_per_multiprocessor = 0;
  uint32_t max_registers = 0;  // .maxnreg

  // For an entry, over everything it can reach by direct calls (indirect calls:
  // over every function of the module).
  uint32_t static_shared_bytes = 0;
  uint32_t barrier_count = 0;
  // Distinct 32-bit registers live at once, as an estimate of what ptxas gives;
  // only for attributes and occupancy.
  uint32_t register_estimate = 0;
  // The value that a global atomic returns, or the order of floating-point
  // additions in memory, can change results: blocks must run in order.
  bool order_sensitive = false;
  // Reads or writes other blocks' progress (spins on global memory) only in
  // cooperative launches; see execution/launch.h.
  // Operations that are not executed: "line 31: tex.2d.v4.f32.s32: textures are
  // not supported". A launch fails with the first; loading does not.
  std::vector<std::string> unsupported;
};

// A decoded module. Not movable: instructions point into it.
class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  syntax::Module syntax;
  ComputeCapability target;
  std::deque<Function> functions;
  std::deque<ModuleSymbol> symbols;  // in the order of declaration
  absl::flat_hash_map<std::string_view, Function*> function_by_name;
  absl::flat_hash_map<std::string_view, ModuleSymbol*> symbol_by_name;
  // Broadcast immediates: what RowRef::kConstants points into. 64-byte aligned.
  std::vector<uint64_t> constants;
  // What is filled in, in a copy of them, when the module is loaded.
  std::vector<ConstantAddress> constant_addresses;
  uint32_t scratch_bytes = 0;  // size needed behind RowRef::kScratch

  // Memory that lives as long as the program, for `detail` and `more_rows`.
  template <typename T>
  T* Keep(T value) {
    auto holder = std::make_unique<Holder<T>>(std::move(value));
    T* kept = &holder->value;
    kept_.push_back(std::move(holder));
    return kept;
  }

 private:
  struct HolderBase {
    virtual ~HolderBase() = default;
  };
  template <typename T>
  struct Holder : HolderBase {
    explicit Holder(T v) : value(std::move(v)) {}
    T value;
  };
  std::deque<std::unique_ptr<HolderBase>> kept_;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_PROGRAM_PROGRAM_H_
