// Opening the MODEL argument of a command: a graph file, a program file, or standard input.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "api/runner/model.hpp"
#include "cli/options/option_list.hpp"
#include "cli/output/console.hpp"

namespace webnn::cli {

/// How models are read: what an untrusted file may cost, and where its parts lie.
struct LimitOptions {
  std::uint64_t max_model_bytes = std::uint64_t{1} << 30;
  std::uint32_t max_nodes = 1u << 20;
  std::uint64_t max_tensor_bytes = schema::max_tensor_bytes;
  std::string base_directory;                // of weights; empty: the graph file's folder
  std::string weights_file;                  // empty: found beside the graph file
  std::vector<std::string> dimensions;       // NAME=SIZE: named dimensions get these sizes
  bool shares_dimensions = false;            // these are for several files, of which some have no such dimension
  std::vector<std::string> constant_inputs;  // NAME=SPEC: inputs of the file that become constants
  std::vector<std::string> allowed;          // --allow: what is otherwise refused
  std::string format;                        // --format, a name of the table of formats; empty: found by content
};
/// --format, for commands that take a MODEL.
void add_format_option(OptionList& list, LimitOptions& limits);
void add_limit_options(OptionList& list, LimitOptions& limits);
compiler::LoadOptions load_options(const LimitOptions& limits);

/// The end of the names of files in which `convert --rename` keeps the old names.
inline constexpr std::string_view names_ending = ".names.json";

/// Opens a file ("-": standard input). Throws Error: io, with a proposal when no file has this name, or resource when it
/// is longer than the limit.
api::Source open_source(const compiler::FileName& file, const LimitOptions& limits);
/// The same for the model in it. Mistakes of a graph are reported on the console, which must outlive the model.
api::Model open_model(const std::filesystem::path& file, const LimitOptions& limits, Console& console);
/// The model in a source at hand.
api::Model open_model(api::Source source, const LimitOptions& limits, Console& console);

}  // namespace webnn::cli
