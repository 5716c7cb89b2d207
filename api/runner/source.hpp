// Where a model comes from: a file, standard input, or bytes at hand. Nothing but its format is known of the content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "compiler/frontend/load.hpp"
#include "schema/elements/bytes.hpp"
#include "schema/render_diagnostics.hpp"

namespace webnn::api {

/// How a model is read: where its parts lie, and what it may cost, because it may come from a stranger.
struct ReadOptions {
  compiler::Formats formats = compiler::frontend_formats();  // what the content may be
  const compiler::Format* format = nullptr;                  // what the user says that it is; null: found by content
  std::filesystem::path base_directory;                      // of the weights; empty: the model file's folder
  std::filesystem::path weights_file;                        // named by the user; empty: found beside the model file
  std::uint64_t max_file_bytes = std::uint64_t{1} << 30;     // of a graph file, without constants that are mapped
  std::uint64_t max_tensor_bytes = schema::max_tensor_bytes;
  std::uint32_t max_nodes = 1u << 20;
};

/// The name of what came from standard input.
inline constexpr std::string_view standard_input_name = "<stdin>";

struct Source {
  std::string name;                          // as the user wrote it; of standard input standard_input_name
  schema::Bytes content;                     // whole; mapped when it holds constants
  std::filesystem::path base_directory;      // of its weights; empty: weights files are refused
  std::string weights_stem;                  // of the weights' names; empty: the model file's
  const compiler::Format* format = nullptr;  // null: not known

  /// Whether it came from a file, which can be looked at again.
  bool is_file() const { return !name.empty() && name != standard_input_name; }
  bool holds(compiler::Holds what) const { return format && format->holds == what; }
  std::string_view text() const { return schema::text_of(content); }
};

/// Opens a file, or standard input for "-". A program file is mapped, however large. Throws Error: io, or resource when
/// the file is longer than the limit.
Source open_source(const std::filesystem::path& file, const ReadOptions& options);

/// How the graph in a source is read.
compiler::LoadOptions load_options(const Source& source, const ReadOptions& options);

/// The lines of a source for messages about it; those of other files are not at hand. Valid while `source` is.
schema::SourceText lines_of(const Source& source);

}  // namespace webnn::api
