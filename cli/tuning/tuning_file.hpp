// Tuning files: the measurements of `compile --tune` on a machine, as JSON for people and for later compilations.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/output/console.hpp"
#include "cli/programs/compile_options.hpp"
#include "compiler/tuning.hpp"
#include "runtime/device.hpp"
#include "schema/diagnostics.hpp"
#include "schema/kernels/kernel_table.hpp"

namespace webnn::cli {

/// The conditions under which measured times are valid.
struct MachineClass {
  schema::Target target;
  std::string processor;  // as named by the system or its vendor
  unsigned threads = 0;
};

/// Of a device of this machine, for programs for this target.
MachineClass machine_class(const runtime::Device& device, const schema::Target& target, unsigned threads);

struct MeasuredKernel {
  schema::KernelId kernel;
  schema::Layout layout = schema::Layout::row_major;  // of its activations of rank 4
  double microseconds = 0;                            // of one step, inside the graph
  bool is_default = false;                            // it runs without tuning
};

struct MeasuredCall {
  std::string call;       // compiler::call_text
  std::size_t steps = 0;  // steps of the program with this call
  std::vector<MeasuredKernel> candidates;
  std::optional<compiler::CallPreference> use;  // nullopt: the default
  std::string reason;                           // for the choice, for people
};

struct MeasuredTuning {
  MachineClass machine;
  std::string model, extent;                 // "fast" or "full"
  double reorder_nanoseconds_per_byte = 0;   // 0: nothing was reordered
  double default_milliseconds = 0;           // of the whole graph
  std::optional<double> tuned_milliseconds;  // nullopt: nothing to choose
  bool keeps_default = false;                // `use` is empty everywhere
  std::string verdict;                       // about the whole graph, for people
  std::vector<MeasuredCall> calls;
};

/// The compiler's table, the same as from reading `tuning_json`.
compiler::Tuning table_of(const MeasuredTuning& tuning);

/// {"schema": "webnn-cli/tuning/1", ...}
std::string tuning_json(const MeasuredTuning& tuning);

/// Reads the text of a tuning file. Mistakes are reported with their positions. Errors: another format, another version
/// of the format, another device or other features. Warnings: another processor or other kernels. Entries with unknown
/// kernels are left out with a note.
std::optional<compiler::Tuning> read_tuning(std::string_view text, const std::string& file_name,
                                            const MachineClass& machine, schema::Diagnostics& diagnostics);

/// --tuning
void add_tuning_option(OptionList& list, CompileOptions& options);

/// The table of the file named by the options; empty when they name none. Reports on the console; throws Error: io,
/// invalid_input, unsupported for another kind of machine, usage in combination with a provider of kernels.
compiler::Tuning load_tuning(const CompileOptions& options, const MachineClass& machine, Console& console);

}  // namespace webnn::cli
