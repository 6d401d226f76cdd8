// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/memory.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/launch_state.h"
#include "cc/emulator/execution/observer.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/execution/warp_state.h"
#include "cc/emulator/operations/address_operand.h"
#include "cc/emulator/operations/bulk_copy.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/memory_access.h"
#include "cc/emulator/operations/vector_regions.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

#if WARPYARD_HAS_AVX2_REGION
#include <immintrin.h>
#endif

namespace warpyard::emulator {
namespace {

using syntax::Operand;
using syntax::ScalarType;
using syntax::StateSpace;

// Moves one element of each lane between memory and a register's row.
using Transfer = void (*)(const Resolved& memory, uint32_t mask, uint64_t offset, void* row);

// Rows: the elements, then the address.
struct MemoryForm : AccessForm {
  bool strong = false;  // volatile, relaxed, acquire, release, mmio
  int elements = 1;
  uint32_t element_bytes = 0;
  Transfer transfer = nullptr;
};

struct Register16 {
  using Storage = uint32_t;
  using Value = uint16_t;
};
struct Register32 {
  using Storage = uint32_t;
  using Value = uint32_t;
};
struct Register64 {
  using Storage = uint64_t;
  using Value = uint64_t;
};

constexpr uint64_t kLaneNumbers[kWarpSize] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                              11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                              22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

bool ResolveParameter(Warp& warp, const Instruction& in, uint32_t mask, const AccessForm& form,
                      Resolved& out) {
  Warp::State& s = *warp.state;
  const Function& function = *s.frame->function;
  const bool kernel = form.parameter == ParameterPlace::kKernel;
  const uint64_t size = kernel ? s.launch->parameter_bytes() : function.param_bytes;
  if (in.immediate > size || form.total_bytes > size - in.immediate) {
    warp.RaiseFault(in, std::countr_zero(mask), FaultKind::kIllegalAddress,
                    absl::StrCat("out-of-bounds access of ", form.total_bytes, " bytes at offset ",
                                 static_cast<int64_t>(in.immediate), " of parameters"),
                    absl::StrCat("they have ", size, " bytes"));
    return false;
  }
  if (kernel) {
    out.shape = Shape::kEqual;
    std::byte* const at = const_cast<std::byte*>(s.launch->parameters()) + in.immediate;
    for (std::byte*& pointer : out.pointer) pointer = at;
    return true;
  }
  out.shape = Shape::kScattered;
  const uint64_t offset = ParamArea(function) + in.immediate;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    out.pointer[lane] = s.local.get() + lane * s.local_stride + s.frame->local_base[lane] + offset;
  }
  return true;
}

// Shows an access in one state space to the observer. False: it raised a fault.
bool Tell(Warp& warp, const Instruction& in, uint32_t mask, const AccessForm& form, AccessKind kind,
          StateSpace space, std::byte* const* memory, Block* const* owner) {
  MemoryAccess access;
  access.space = space;
  access.kind = kind;
  access.proxy = Proxy::kGeneric;
  access.mask = mask;
  access.bytes = form.total_bytes;
  access.memory = memory;
  access.owner = owner;
  warp.state->observer->OnAccess(warp, in, access);
  return !warp.state->faulted;
}

// Lane by lane, with all checks.
bool ResolveEach(Warp& warp, const Instruction& in, uint32_t mask, const AccessForm& form,
                 AccessKind kind, const uint64_t* address, Resolved& out) {
  Warp::State& s = *warp.state;
  Observer* const observer = s.observer;
  s.observer = nullptr;  // told once, of the whole warp
  bool fine = true;
  bool shared = false, local = false;
  for (uint32_t left = mask; left != 0 && fine; left &= left - 1) {
    const int lane = std::countr_zero(left);
    out.pointer[lane] =
        warp.Access(in, lane, form.space, address[lane], form.total_bytes, form.alignment, kind);
    fine = out.pointer[lane] != nullptr;
  }
  s.observer = observer;
  if (!fine || observer == nullptr) return fine;
  const bool generic = form.space == StateSpace::kNone || form.space == StateSpace::kParam;
  // One report for each space that lanes of a generic access are in.
  uint32_t by_space[3] = {0, 0, 0};
  Block* owner[kWarpSize] = {};
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    shared = form.space == StateSpace::kShared || (generic && IsShared(address[lane]));
    local = form.space == StateSpace::kLocal || (generic && IsLocal(address[lane]));
    by_space[shared ? 1 : local ? 2 : 0] |= uint32_t{1} << lane;
    if (shared) {
      owner[lane] = warp.block().cluster().Find(static_cast<uint32_t>(address[lane]));
    }
  }
  constexpr StateSpace kSpaces[3] = {StateSpace::kGlobal, StateSpace::kShared, StateSpace::kLocal};
  for (int i = 0; i < 3; ++i) {
    if (by_space[i] == 0) continue;
    if (!Tell(warp, in, by_space[i], form, kind, kSpaces[i], out.pointer,
              i == 1 ? owner : nullptr)) {
      return false;
    }
  }
  return true;
}

WARPYARD_BEGIN_BASELINE
namespace baseline {
#include "cc/emulator/operations/memory_rows.inc"
}  // namespace baseline
WARPYARD_END_REGION

#if WARPYARD_HAS_AVX2_REGION
WARPYARD_BEGIN_AVX2
namespace avx2 {
#include "cc/emulator/operations/memory_rows.inc"
}  // namespace avx2
WARPYARD_END_REGION
#endif

Handler MemoryHandler(bool load) {
#if WARPYARD_HAS_AVX2_REGION
  if (UseAvx2()) return load ? avx2::Load : avx2::Store;
#endif
  return load ? baseline::Load : baseline::Store;
}

Transfer MemoryTransfer(bool load, int bits, bool is_signed, int register_bits, bool strong) {
#if WARPYARD_HAS_AVX2_REGION
  if (UseAvx2()) return avx2::FindTransfer(load, bits, is_signed, register_bits, strong);
#endif
  return baseline::FindTransfer(load, bits, is_signed, register_bits, strong);
}

// ---- Decoding.

struct MemoryModifiers {
  StateSpace space = StateSpace::kNone;
  ScalarType type = ScalarType::kNone;
  int vector = 1;
  bool strong = false;
  bool cache_hint = false;
};

absl::Status ReadModifiers(const syntax::Instruction& syntax, MemoryModifiers* out) {
  for (const std::string_view modifier : syntax.modifiers) {
    if (ReadSpace(modifier, &out->space)) continue;
    if (const auto type = syntax::ParseScalarType(modifier); type.has_value()) {
      out->type = *type;
    } else if (modifier == "v2" || modifier == "v4" || modifier == "v8") {
      out->vector = modifier[1] - '0';
    } else if (modifier == "volatile" || modifier == "relaxed" || modifier == "acquire" ||
               modifier == "release" || modifier == "mmio") {
      out->strong = true;
    } else if (modifier == "L2::cache_hint") {
      out->cache_hint = true;
    } else if (modifier == "weak" || modifier == "nc" || modifier == "sys" || modifier == "gpu" ||
               modifier == "cta" || modifier == "cluster" || modifier == "ca" || modifier == "cg" ||
               modifier == "cs" || modifier == "lu" || modifier == "cv" || modifier == "wb" ||
               modifier == "wt" || modifier == "unified" || absl::StartsWith(modifier, "L1::") ||
               absl::StartsWith(modifier, "L2::")) {
      // Scopes are all the same here; caches change no result.
    } else {
      return absl::UnimplementedError(
          absl::StrCat(syntax.opcode, " with .", modifier, " is not supported"));
    }
  }
  if (out->type == ScalarType::kNone) {
    return absl::InvalidArgumentError(absl::StrCat(syntax.opcode, " without a type"));
  }
  return absl::OkStatus();
}

absl::Status DecodeMemory(DecodeContext& context, const syntax::Instruction& syntax,
                          Instruction* instruction, bool load) {
  MemoryModifiers modifiers;
  WARPYARD_RETURN_IF_ERROR(ReadModifiers(syntax, &modifiers));
  const size_t expected = modifiers.cache_hint ? 3 : 2;
  if (syntax.operands.size() < 2 || syntax.operands.size() > expected + 1) {
    return absl::InvalidArgumentError(absl::StrCat(syntax.opcode, " with ", syntax.operands.size(),
                                                   " operands; expected a value and an address"));
  }
  const Operand& value = syntax.operands[load ? 0 : 1];
  const Operand& place = syntax.operands[load ? 1 : 0];
  const int bits = syntax::BitWidth(modifiers.type);
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128) {
    return absl::InvalidArgumentError(absl::StrCat(
        syntax.opcode, " of .", syntax::TypeName(modifiers.type), ": not a type of memory"));
  }
  std::vector<const Operand*> registers;
  if (value.kind == Operand::Kind::kVector) {
    for (const Operand& element : value.elements) registers.push_back(&element);
  } else {
    registers.push_back(&value);
  }
  std::vector<RowRef> values;
  int register_bits = 0;
  if (registers.size() != static_cast<size_t>(modifiers.vector)) {
    // `ld.v2 %v` of a vector register.
    auto rows =
        load ? context.Destinations(value, modifiers.type) : context.Sources(value, modifiers.type);
    WARPYARD_RETURN_IF_ERROR(rows.status());
    values = *std::move(rows);
    if (values.size() != static_cast<size_t>(modifiers.vector)) {
      return absl::InvalidArgumentError(absl::StrCat(syntax.opcode, ".v", modifiers.vector,
                                                     " with ", values.size(), " registers"));
    }
    register_bits = bits;
  } else {
    for (const Operand* const element : registers) {
      const ScalarType declared = context.RegisterType(*element);
      if (declared == ScalarType::kPred) {
        return absl::InvalidArgumentError(absl::StrCat(syntax.opcode, " of a predicate register"));
      }
      const bool wider = declared != ScalarType::kNone && syntax::BitWidth(declared) >= bits;
      const ScalarType as = wider ? declared : modifiers.type;
      // Narrow values in a wider register; all elements have registers of one width.
      const int width = syntax::BitWidth(as);
      if (register_bits == 0 || declared != ScalarType::kNone) register_bits = width;
      auto row = load ? context.Destination(*element, as) : context.Source(*element, as);
      WARPYARD_RETURN_IF_ERROR(row.status());
      values.push_back(*row);
    }
  }
  if (bits == 128) {
    // Two 64-bit elements each, low half first.
    std::vector<RowRef> halves;
    for (RowRef row : values) {
      halves.push_back(row);
      row.offset += kWarpSize * 8;
      halves.push_back(row);
    }
    values = std::move(halves);
    register_bits = 64;
  }
  if (register_bits < 32) register_bits = register_bits == 16 && load ? 16 : 32;

  MemoryForm form;
  form.space = modifiers.space;
  form.strong = modifiers.strong;
  form.elements = static_cast<int>(values.size());
  form.element_bytes = static_cast<uint32_t>(bits == 128 ? 8 : bits / 8);
  form.total_bytes = form.element_bytes * values.size();
  form.alignment = form.total_bytes;
  const bool is_signed = IsSigned(modifiers.type);
  form.transfer = MemoryTransfer(load, bits == 128 ? 64 : bits, is_signed,
                                 register_bits > 64 ? 64 : register_bits, form.strong);

  WARPYARD_ASSIGN_OR_RETURN(const Address address, context.MemoryOperand(place, modifiers.space));
  form.wide = address.wide;
  if (address.is_parameter) {
    form.parameter =
        IsKernelParameter(context, place) ? ParameterPlace::kKernel : ParameterPlace::kThread;
    // A scalar in a .param variable of bytes need not be aligned on this machine.
    form.alignment = 1;
  }
  std::vector<RowRef> rows = values;
  rows.push_back(address.base);
  instruction->handler = MemoryHandler(load);
  instruction->operation_class = load ? OperationClass::kLoad : OperationClass::kStore;
  instruction->immediate = static_cast<uint64_t>(address.displacement);
  instruction->detail = context.program().Keep(form);
  if (load) {
    context.SetRows(instruction, values, {address.base});
  } else {
    context.SetRows(instruction, {}, rows);
  }
  return absl::OkStatus();
}

absl::Status DecodeLoad(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  return DecodeMemory(context, syntax, instruction, /*load=*/true);
}

absl::Status DecodeStore(DecodeContext& context, const syntax::Instruction& syntax,
                         Instruction* instruction) {
  if (syntax.Has("async")) return DecodeAsyncStore(context, syntax, instruction);
  return DecodeMemory(context, syntax, instruction, /*load=*/false);
}

Next DoNothing(Warp&, const Instruction&, uint32_t) { return Next::kAdvance; }

absl::Status DecodeHint(DecodeContext&, const syntax::Instruction&, Instruction* instruction) {
  instruction->handler = DoNothing;
  instruction->operation_class = OperationClass::kLoad;
  return absl::OkStatus();
}

// A cache policy is a number that only the hardware reads.
Next MakePolicy(Warp& warp, const Instruction& in, uint32_t mask) {
  uint64_t* d = warp.Row<uint64_t>(in.rows[0]);
  for (; mask != 0; mask &= mask - 1) d[std::countr_zero(mask)] = 0;
  return Next::kAdvance;
}

absl::Status DecodeCreatePolicy(DecodeContext& context, const syntax::Instruction& syntax,
                                Instruction* instruction) {
  if (syntax.operands.empty()) {
    return absl::InvalidArgumentError("createpolicy without operands");
  }
  WARPYARD_ASSIGN_OR_RETURN(const RowRef d,
                            context.Destination(syntax.operands[0], ScalarType::kB64));
  instruction->handler = MakePolicy;
  instruction->operation_class = OperationClass::kMove;
  context.SetRows(instruction, {d}, {});
  return absl::OkStatus();
}

constexpr Operation kOperations[] = {
    {"ld", DecodeLoad},        {"ldu", DecodeLoad},
    {"st", DecodeStore},       {"prefetch", DecodeHint},
    {"prefetchu", DecodeHint}, {"applypriority", DecodeHint},
    {"discard", DecodeHint},   {"createpolicy", DecodeCreatePolicy},
};

}  // namespace

absl::Span<const Operation> MemoryOperations() { return kOperations; }

bool ResolveAccess(Warp& warp, const Instruction& instruction, uint32_t mask,
                   const AccessForm& form, AccessKind kind, Resolved& out) {
#if WARPYARD_HAS_AVX2_REGION
  static const bool use_avx2 = UseAvx2();
  if (use_avx2) return avx2::Resolve(warp, instruction, mask, form, kind, out);
#endif
  return baseline::Resolve(warp, instruction, mask, form, kind, out);
}

}  // namespace warpyard::emulator
