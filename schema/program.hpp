// The compiled program: the one thing that compiler and runtime exchange. Data only: no code, no pointers into a
// device.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/elements/bytes.hpp"
#include "schema/kernels/kernel_table.hpp"

namespace webnn::schema {

inline constexpr std::uint32_t no_index = 0xffffffffu;
/// Alignment of constants and of every value in the arena, in bytes.
inline constexpr std::uint64_t arena_alignment = 64;

/// Where a value's bytes are while a program runs.
struct Slot {
  enum class Kind : std::uint8_t {
    none,      // not planned, or nobody reads it
    input,     // index: of Program::inputs; the caller's memory, never written
    output,    // index: of Program::outputs; the caller's memory
    constant,  // index: of Program::constants
    arena,     // offset into the arena
  };
  Kind kind = Kind::none;
  std::uint32_t index = 0;
  std::uint64_t offset = 0;  // of an arena slot
  std::uint64_t bytes = 0;
  bool operator==(const Slot&) const = default;
};

struct ProgramValue {
  std::string name;
  OperandDescriptor descriptor;
  Layout layout = Layout::row_major;
  Slot slot;
  /// The value whose bytes this one shows under another descriptor or layout (a reshape that needed no step). Both
  /// share one slot; the other value is written by a step, or is an input or a constant, and is never a view itself.
  std::uint32_t view_of = no_index;
  /// Of a constant in a private form: the name that `pack` of the kernel gave it. Its slot has the form's size.
  std::string form{};
};

/// One prepared kernel call. `inputs` follow KernelSpec::inputs; `no_index` stands for an absent optional operand.
struct Step {
  KernelId kernel;
  OperatorId op;
  Attributes attributes;
  std::vector<PostOp> post_ops;
  std::vector<std::uint32_t> inputs;  // indices into Program::values
  std::vector<std::uint32_t> outputs;
  std::string label;  // of the source operator, for profiles and messages
};

/// A named input or output of the graph. `value` is `no_index` for an input that the graph does not use.
struct Binding {
  std::string name;
  OperandDescriptor descriptor;
  std::uint32_t value = no_index;
  /// In which the program reads or writes the caller's memory; not row-major only when the compilation kept layouts.
  Layout layout = Layout::row_major;
};

/// A constant operand in the form that a kernel wants.
struct PackedConstant {
  std::string form;  // our own name of the layout; equal names mean equal bytes for equal elements
  Bytes bytes;
};

struct Program {
  std::string name;
  Target target;
  std::vector<ProgramValue> values;
  std::vector<Step> steps;  // in the order of execution
  std::vector<Binding> inputs;
  std::vector<Binding> outputs;
  std::vector<Bytes> constants;
  /// Of a program that was read from a file: checked against the bytes when kernels are prepared. Empty: not checked.
  std::vector<std::uint64_t> constant_checksums;
  std::uint64_t arena_bytes = 0;
  /// Of a program that was read from a file: the version of the tool that wrote it.
  std::string tool_version;
  /// The graph that it was compiled from, as a binary graph file; empty: the program does not carry it.
  Bytes graph{};
  /// `verify_program` has found nothing wrong. Who makes a program says so, who changes one takes it back; without it a
  /// program is proved before it runs.
  bool verified = false;
};

/// The operators of steps that kernels of another device than the target's run (Feature::cpu_fallback), each once, in
/// the order of the steps.
std::vector<std::string_view> fallen_back(const Program& program);

/// The spec of a step, made from the program's values.
KernelSpec spec_of(const Program& program, const Step& step);

}  // namespace webnn::schema
