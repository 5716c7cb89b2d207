// The compiled program: the only thing that compiler and runtime exchange. It is pure data: no code, no pointers into a
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

/// Where the bytes of a value are while a program runs.
struct Slot {
  enum class Kind : std::uint8_t {
    none,      // not planned, or never read
    input,     // index into Program::inputs; the caller's memory, never written
    output,    // index into Program::outputs; the caller's memory
    constant,  // index into Program::constants
    arena,     // offset into the arena
    lines,     // the result of a step that the next one reads line by line: the runtime keeps some (line_window.hpp)
  };
  Kind kind = Kind::none;
  std::uint32_t index = 0;
  std::uint64_t offset = 0;  // for an arena slot
  std::uint64_t bytes = 0;
  bool operator==(const Slot&) const = default;
};

struct ProgramValue {
  std::string name;
  OperandDescriptor descriptor;
  Layout layout = Layout::row_major;
  Slot slot;
  /// The value whose bytes this one shows with another descriptor or layout (a reshape without a step). Both share one
  /// slot. That value is an input, a constant or the result of a step, never itself a view.
  std::uint32_t view_of = no_index;
  /// For a constant in a private form: its name, as given by the kernel's `pack`. The slot has the size of the packed
  /// bytes.
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
  /// The layout in which the program reads or writes the caller's memory; row-major unless layouts were kept at compile
  /// time.
  Layout layout = Layout::row_major;
};

/// Names of private forms are shorter: a kernel spec copies one for each operand.
inline constexpr std::size_t most_form_bytes = 256;

/// A constant operand in the form that a kernel wants.
struct PackedConstant {
  std::string form;  // this project's name of the form; equal names mean equal bytes for equal elements
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
  /// For a program read from a file: compared with the bytes when kernels are prepared. Empty: not checked.
  std::vector<std::uint64_t> constant_checksums;
  std::uint64_t arena_bytes = 0;
  /// For a program read from a file: the version of the tool that wrote it.
  std::string tool_version;
  /// The graph that it was compiled from, as a binary graph file; empty when it is not embedded.
  Bytes graph{};
  /// `verify_program` has found no error. Code that makes a program sets it, code that changes one clears it; a program
  /// without it is verified before it runs.
  bool verified = false;
};

/// The operators whose steps run on kernels of another device than the target's (Feature::cpu_fallback), each once, in
/// the order of the steps.
std::vector<std::string_view> fallen_back(const Program& program);

/// Whether a step's result passes on to the next one line by line. The program's indices must be valid.
bool passes_lines(const Program& program, std::size_t step);

struct StepRange {
  std::uint32_t first = 0, last = 0;
};
/// By step: the steps that run in bands together with it. What one of them reads is needed until the last of them ends,
/// and what the last one writes is written from the first one on.
std::vector<StepRange> steps_together(const Program& program);

/// The kernel spec of a step, built from the program's values.
KernelSpec spec_of(const Program& program, const Step& step);

}  // namespace webnn::schema
