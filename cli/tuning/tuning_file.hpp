// Tuning files: what `compile --tune` measured on a machine, as JSON for people and for later compilations.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/output/console.hpp"
#include "cli/programs/compile_options.hpp"
#include "compiler/tuning.hpp"
#include "schema/diagnostics.hpp"
#include "schema/kernels/kernel_table.hpp"

namespace webnn::cli {

/// What measured times are true for.
struct MachineClass {
  schema::Target target;
  std::string processor;  // as the system calls it
  unsigned threads = 0;
};

struct MeasuredKernel {
  schema::KernelId kernel;
  schema::Layout layout = schema::Layout::row_major;  // of its activations of rank 4
  double microseconds = 0;                            // of one step, inside of the graph
  bool is_default = false;                            // it runs where nothing is tuned
};

struct MeasuredCall {
  std::string call;       // compiler::call_text
  std::size_t steps = 0;  // of the program that make it
  std::vector<MeasuredKernel> candidates;
  std::optional<compiler::CallPreference> use;  // nullopt: the default
  std::string reason;                           // of the choice, for people
};

struct MeasuredTuning {
  MachineClass machine;
  std::string model, extent;                 // "fast" or "full"
  double reorder_nanoseconds_per_byte = 0;   // 0: nothing was reordered
  double default_milliseconds = 0;           // of the whole graph
  std::optional<double> tuned_milliseconds;  // nullopt: nothing to choose
  bool keeps_default = false;                // `use` is empty everywhere
  std::string verdict;                       // on the whole graph, for people
  std::vector<MeasuredCall> calls;
};

/// The table for the compiler that reading `tuning_json` would give.
compiler::Tuning table_of(const MeasuredTuning& tuning);

/// {"schema": "webnn-cli/tuning/1", ...}
std::string tuning_json(const MeasuredTuning& tuning);

/// Reads a tuning file's text. Mistakes are reported with their places: a file of another form, another version of the
/// form, or for another device or other features gives an error; another processor or other kernels a warning; entries
/// with kernels that are not known here are left out with a note.
std::optional<compiler::Tuning> read_tuning(std::string_view text, const std::string& file_name,
                                            const MachineClass& machine, schema::Diagnostics& diagnostics);

/// --tuning
void add_tuning_option(OptionList& list, CompileOptions& options);

/// The table of the file that the options name; empty when they name none. Reports on the console; throws Error: io,
/// invalid_input, unsupported for a file of another kind of machine, usage beside a provider of kernels.
compiler::Tuning load_tuning(const CompileOptions& options, const schema::Target& target, Console& console);

}  // namespace webnn::cli
