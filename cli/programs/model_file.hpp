// Opening the MODEL argument of a command: a graph file, a program file, or standard input.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "cli/options/option_list.hpp"
#include "cli/output/console.hpp"
#include "compiler/frontend/load.hpp"
#include "schema/render_diagnostics.hpp"

namespace webnn::cli {

/// What an untrusted file may cost.
struct LimitOptions {
  std::uint64_t max_model_bytes = std::uint64_t{1} << 30;
  std::uint32_t max_nodes = 1u << 20;
  std::uint64_t max_tensor_bytes = schema::max_tensor_bytes;
  std::string base_directory;  // of weights; empty: the graph file's folder
  std::string weights_file;    // empty: found beside the graph file
  std::string form;            // --format, a name of the table of formats; empty: found by content
};
/// --format, for commands that take a MODEL.
void add_format_option(OptionList& list, LimitOptions& limits);
void add_limit_options(OptionList& list, LimitOptions& limits);

/// The end of the names of files in which `convert --rename` keeps the old names.
inline constexpr std::string_view names_ending = ".names.json";

/// The name of what came from standard input.
inline constexpr std::string_view standard_input_name = "<stdin>";

struct ModelFile {
  std::string name;                          // as the user wrote it, or standard_input_name
  schema::Bytes content;                     // whole; mapped when it holds constants
  std::filesystem::path base_directory;      // of its weights; empty: not known
  std::string weights_stem;                  // empty: the file's own
  const compiler::Format* format = nullptr;  // null: not known
  bool format_is_forced = false;             // by --format

  bool holds(compiler::Holds what) const { return format && format->holds == what; }

  std::string_view text() const { return schema::text_of(content); }
};

/// Opens a file ("-": standard input). Throws Error: io, or resource when it is larger than the limit.
ModelFile read_model_file(const std::filesystem::path& file, const LimitOptions& limits);

/// What the MODEL argument names, when it is a program file (told by its first bytes): mapped, or what came from
/// standard input.
struct ProgramFile {
  std::string name;
  schema::Bytes content;
};
std::variant<ModelFile, ProgramFile> read_model_or_program(const std::string& file, const LimitOptions& limits);

/// How the model is read.
compiler::LoadOptions load_options(const ModelFile& model, const LimitOptions& limits);

/// The text of the graph file for messages about it; other files' lines are not at hand. Valid while `model` is.
schema::SourceText source_of(const ModelFile& model);

std::optional<compiler::Graph> parse_model(const ModelFile& model, const LimitOptions& limits,
                                           schema::Diagnostics& diagnostics);

/// The above for a command that needs a graph: reports diagnostics on the console and throws Error (invalid_input) when
/// there is none.
compiler::Graph open_model(const ModelFile& model, const LimitOptions& limits, Console& console);
/// The same without weights where their file is not there: `missing` counts the constants whose bytes mean nothing.
compiler::Graph open_model(const ModelFile& model, const LimitOptions& limits, Console& console, std::size_t& missing);
compiler::Graph open_model(const std::string& file, const LimitOptions& limits, Console& console);

}  // namespace webnn::cli
