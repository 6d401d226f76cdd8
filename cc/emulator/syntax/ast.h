// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// PTX as text says it: the syntax tree of a module. Nothing is resolved and
// nothing but the grammar is checked: an opcode is a name with modifiers, an
// operand is what stands there. What the words mean is cc/emulator/program's.
//
// All string_views point into the text that `Module::text` owns.

#ifndef WARPYARD_CC_EMULATOR_SYNTAX_AST_H_
#define WARPYARD_CC_EMULATOR_SYNTAX_AST_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpyard::emulator::syntax {

// Where something stands in the PTX text; both count from 1.
struct Position {
  int line = 0;
  int column = 0;
};

// What a `.loc` directive last said: the CUDA C++ (or Python) line that the
// instructions after it come from. `file` is the index of a `.file` directive,
// 0 where no `.loc` was seen.
struct SourceLine {
  int file = 0;
  int line = 0;
  int column = 0;
};

// PTX ISA, "State Spaces".
enum class StateSpace : uint8_t {
  kNone,  // generic addressing, or not a variable
  kReg,
  kConst,
  kGlobal,
  kLocal,
  kParam,
  kShared,
  kTex,
};

// PTX ISA, "Fundamental Types" and "Alternate Floating-Point Data Formats".
enum class ScalarType : uint8_t {
  kNone,
  kPred,
  kB8,
  kB16,
  kB32,
  kB64,
  kB128,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kF16x2,
  kF32,
  kF32x2,
  kF64,
  kBf16,
  kBf16x2,
  kTf32,
  kU16x2,
  kS16x2,
  kU8x4,
  kS8x4,
  kE4m3,
  kE5m2,
  kE2m1,
  kE2m3,
  kE3m2,
  kUe8m0,
  kUe4m3,
  kS2f6,
  kE4m3x2,
  kE5m2x2,
  kE2m1x2,
  kE2m3x2,
  kE3m2x2,
  kUe8m0x2,
  kS2f6x2,
  kE4m3x4,
  kE5m2x4,
  kE2m1x4,
  kE2m3x4,
  kE3m2x4,
  kS4,
  kU4,
  kB1,
  kS2,
  kU2,
  kB4x16,
  kB4x16P64,
  kB6x16P32,
  kB6p2x16,
  kTexref,
  kSamplerref,
  kSurfref,
};

// Width in bits of one value as it lies in memory or in a register; 1 for
// .pred, 0 for kNone and the opaque texture types.
int BitWidth(ScalarType type);
// ".f32" without the dot; "" for kNone.
std::string_view TypeName(ScalarType type);
// Reads "f32", "e4m3x2", ...; nullopt for a word that is no type.
std::optional<ScalarType> ParseScalarType(std::string_view name);

struct Operand {
  enum class Kind : uint8_t {
    kIdentifier,  // %r1, %tid, %p, a variable, a label, a function; see `component`
    kInteger,     // `integer`; `minus` where it was written with a minus
    kFloat,       // `float_bits`: 0f… gives a 32-bit, 0d… and decimal a 64-bit pattern
    kAddress,     // [base + offset]; base in elements[0] (identifier or integer)
    kVector,      // {a, b, c}
    kPair,        // p|q, as in setp and shfl
    kSink,        // _
    kTensor,      // [map, {c0, c1}] and kin: elements[0] the base, the rest what follows;
                  // `integer` an offset of the base
    kList,        // (a, b): arguments and results of call
  };
  Kind kind = Kind::kSink;
  Position position;

  std::string_view identifier;  // kIdentifier
  std::string_view component;   // kIdentifier: "x" of %tid.x or %v.x; "" otherwise
  bool logical_not = false;     // !p
  bool minus = false;           // -x before an identifier (a few operations allow it);
                                // kInteger: written with a minus

  // kInteger: two's complement; kAddress, kTensor: the offset likewise;
  // kIdentifier: what is added to a variable's address, as in `mov.u64 %rd1, x+4`,
  // in elements of the array where it was written `x[4]`.
  uint64_t integer = 0;
  bool is_element = false;   // kIdentifier: x[4]
  bool is_unsigned = false;  // kInteger: had the suffix U
  bool float_is_32 = false;  // kFloat
  uint64_t float_bits = 0;   // kFloat

  std::vector<Operand> elements;  // kVector, kPair, kAddress, kTensor, kList
};

// "ld.global.v2.f32": name "ld", modifiers {"global", "v2", "f32"}. A modifier
// keeps what it was written with, "::" included: "shared::cta",
// "L2::cache_hint", "mbarrier::complete_tx::bytes".
struct Instruction {
  Position position;
  SourceLine source;
  std::string_view guard;  // register of @p; "" where unconditional
  bool guard_negated = false;
  std::string_view opcode;                  // "ld"
  std::vector<std::string_view> modifiers;  // in order
  std::vector<Operand> operands;
  std::string_view text;  // the whole statement, for messages

  bool Has(std::string_view modifier) const;
};

// One declared variable; also a parameter of a function.
struct Variable {
  Position position;
  StateSpace space = StateSpace::kNone;
  ScalarType type = ScalarType::kNone;
  int vector_size = 1;     // .v2 .v4
  uint64_t alignment = 0;  // bytes; 0 where not said
  std::string_view name;
  // %r<10> declares count registers %r0 ... %r9; 0 for a plain name.
  uint32_t register_count = 0;
  // Array dimensions, outermost first. An extent of 0 is `[]`.
  std::vector<uint64_t> dimensions;
  // Flattened in row-major order, one entry per scalar given; missing ones are 0.
  struct Initial {
    enum class Kind : uint8_t { kInteger, kFloat, kSymbol } kind = Kind::kInteger;
    uint64_t bits = 0;  // integer; or float pattern as in Operand
    bool float_is_32 = false;
    std::string_view symbol;  // kSymbol: address of it, plus `bits`
    bool generic = false;     // generic(symbol)
    uint64_t mask = 0;        // mask(...) operator: 0xFF.. picks a byte; 0 where absent
  };
  std::vector<Initial> initials;
  bool is_pointer = false;  // .ptr on a kernel parameter
  StateSpace pointer_space = StateSpace::kNone;
  uint64_t pointer_alignment = 0;
};

// .branchtargets, .calltargets, .callprototype: named by a label.
struct LabelledDirective {
  enum class Kind : uint8_t { kBranchTargets, kCallTargets, kCallPrototype } kind;
  Position position;
  std::string_view label;
  std::vector<std::string_view> targets;  // branch and call targets
  std::vector<Variable> results;          // prototypes
  std::vector<Variable> parameters;
};

// What a function body is made of, in order; scopes are kept flat, marked by
// kScopeBegin and kScopeEnd, because registers are declared in scopes.
struct Statement {
  enum class Kind : uint8_t {
    kInstruction,
    kLabel,
    kVariable,
    kLabelledDirective,
    kScopeBegin,
    kScopeEnd
  };
  Kind kind;
  Position position;
  std::string_view label;  // kLabel
  uint32_t index = 0;      // into the function's instructions, variables or directives
};

enum class Linkage : uint8_t { kNone, kExtern, kVisible, kWeak, kCommon };

// .maxntid and kin: name with its numbers. "maxntid" {128,1,1}; "noreturn" {}.
struct PerformanceDirective {
  std::string_view name;
  std::vector<uint64_t> values;
};

struct Function {
  Position position;
  Linkage linkage = Linkage::kNone;
  bool is_entry = false;
  bool is_declaration = false;  // no body
  std::string_view name;
  std::vector<Variable> results;
  std::vector<Variable> parameters;
  std::vector<PerformanceDirective> directives;
  std::vector<Statement> statements;
  std::vector<Instruction> instructions;
  std::vector<Variable> variables;
  std::vector<LabelledDirective> labelled;
};

struct SourceFile {
  int index = 0;
  std::string_view path;
};

struct ModuleVariable {
  Linkage linkage = Linkage::kNone;
  Variable variable;
};

struct Alias {
  std::string_view name, target;
};

struct Module {
  // The text, owned; everything else points into it.
  std::unique_ptr<const std::string> text;
  int isa_major = 0;  // .version 8.5
  int isa_minor = 0;
  std::string_view target;                       // "sm_90a"
  std::vector<std::string_view> target_options;  // "debug", "texmode_unified"
  int address_size = 64;
  std::vector<SourceFile> files;
  std::vector<ModuleVariable> variables;
  std::vector<Function> functions;
  std::vector<Alias> aliases;
};

}  // namespace warpyard::emulator::syntax

#endif  // WARPYARD_CC_EMULATOR_SYNTAX_AST_H_
