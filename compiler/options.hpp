// What a caller of the compiler chooses, and what the compiler borrows from the runtime.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/tuning.hpp"
#include "schema/program.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

struct Unit;  // compiler/unit.hpp

/// Runs one operator on constant operands with the reference kernels. `inputs` follow the spec (an empty span for an
/// absent operand), `outputs` have the size of the spec's outputs. False: there is no kernel for it.
using Evaluate = std::function<bool(const KernelSpec& spec, std::span<const std::span<const std::byte>> inputs,
                                    std::span<const std::span<std::byte>> outputs)>;

/// Brings constant operand `operand` (row-major bytes) into the form that the kernel wants; nullopt: it takes it as it
/// is. `spec` has the layouts of the plan.
using Pack = std::function<std::optional<PackedConstant>(KernelId kernel, const KernelSpec& spec, std::size_t operand,
                                                         std::span<const std::byte> bytes)>;

/// What the runner saw of one pass.
struct PassTime {
  std::string_view pass;  // "(verification)": of what all passes left, the last entry
  double milliseconds = 0;
  std::size_t nodes_before = 0, nodes_after = 0;
};

struct Options {
  Target target;
  unsigned level = 2;  // -O: passes of this level and below run (passes.def); at 3 constants of any size are folded
  std::vector<std::pair<std::string, std::uint32_t>> dimensions;  // --dim name=size
  std::string kernels;                                            // provider to prefer; empty: the table's order
  Tuning tuning;                                                  // what measurements prefer; empty: nothing
  /// Which of the rows that take a call may be chosen for it; null: all of them.
  std::function<bool(const KernelRow&, const KernelSpec&)> available;
  Evaluate evaluate;  // null: constants are not folded
  Pack pack;          // null: no constant is packed
  /// Told when a constant has been read for the last time for now: its memory may be handed back if it is a file's.
  std::function<void(const Bytes&)> release;
  bool verify_constants = true;  // compares the constants of a binary graph file with their checksums first
  bool keep_layouts = false;     // graph inputs and outputs may stay channels-last (Binding::layout), for tensors
  std::uint64_t fold_limit_bytes = std::uint64_t{1} << 26;  // larger results are not folded

  // For people who look at the compiler.
  std::ostream* log = nullptr;                         // where the texts below go
  std::vector<std::string> print_before, print_after;  // pass names, or "all"
  std::string stop_after;                              // pass name; empty: run all
  bool time_passes = false;
  std::function<void(std::span<const PassTime>)> pass_times;  // null, or told once at the end
  bool stats = false;                                         // of the program
  /// Null, or told what is there when the run of passes ends without an error, and the last pass that ran (empty:
  /// none).
  std::function<void(const Unit&, std::string_view pass)> last_unit;
};

}  // namespace webnn::compiler
