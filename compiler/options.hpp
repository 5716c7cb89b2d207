// The options of the compiler, and the functions that it borrows from the runtime.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ir/evaluate.hpp"
#include "compiler/tuning.hpp"
#include "schema/program.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

struct Unit;  // compiler/unit.hpp

/// Packs constant operand `operand` (row-major bytes) into the form that the kernel wants; nullopt: it stays as it is.
/// `spec` has the layouts of the plan.
using Pack = std::function<std::optional<PackedConstant>(KernelId kernel, const KernelSpec& spec, std::size_t operand,
                                                         std::span<const std::byte> bytes)>;

/// What the pipeline measured for one pass.
struct PassTime {
  std::string_view pass;  // "(verification)" for all passes' verifications, the last entry
  double milliseconds = 0;
  std::size_t nodes_before = 0, nodes_after = 0;
};

struct Options {
  Target target;
  KernelTable kernel_table;  // what there is to choose from
  unsigned level = 2;  // -O: passes of this level and below run (passes.def); at 3, constants of any size are folded
  std::vector<std::pair<std::string, std::uint32_t>> dimensions;  // --dim name=size
  std::string kernels;                                            // preferred provider; empty: costs alone decide
  Tuning tuning;                                                  // measured preferences; empty: none
  /// Whether a row that takes a call may be chosen for it; null: always.
  std::function<bool(const KernelRow&, const KernelSpec&)> available;
  Evaluate evaluate;  // null: constants are not folded
  Pack pack;          // null: no constant is packed
  /// Called when a constant is not needed for a while: the memory of mapped files may then be released.
  std::function<void(const Bytes&)> release;
  bool verify_constants = true;  // first compares the constants of a binary graph file with their checksums
  std::string file_name;         // the graph's, for what is said of them
  bool keep_layouts = false;     // graph inputs and outputs may stay channels-last (Binding::layout), for tensors
  std::uint64_t fold_limit_bytes = std::uint64_t{1} << 26;  // larger results are not folded
  /// Of results that may pass on line by line (schema/kernels/line_window.hpp). Smaller ones stay in the cache anyway, and
  /// threads gain little by not waiting for each other.
  std::uint64_t least_bytes_of_lines = std::uint64_t{1} << 17;
  std::uint64_t max_work = 0;  // limit for the arithmetic and bytes of everything that is folded; 0: no limit

  // For debugging the compiler.
  std::ostream* log = nullptr;                         // receives the texts below
  std::vector<std::string> print_before, print_after;  // pass names, or "all"
  std::string stop_after;                              // pass name; empty: run all
  bool time_passes = false;
  std::function<void(std::span<const PassTime>)> pass_times;  // null, or called once at the end
  bool stats = false;                                         // prints statistics of the program
  /// Null, or called when the passes end without an error, with the last pass that ran (empty: none).
  std::function<void(const Unit&, std::string_view pass)> last_unit;
};

}  // namespace webnn::compiler
