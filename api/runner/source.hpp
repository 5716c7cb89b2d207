// Where a model comes from: a file, standard input, or bytes in memory. Of the content only the format is known.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "compiler/frontend/load.hpp"
#include "schema/elements/bytes.hpp"
#include "schema/render_diagnostics.hpp"

namespace webnn::api {

/// The name of a source that was read from standard input.
inline constexpr std::string_view standard_input_name = "<stdin>";

struct Source {
  std::string name;                          // as given by the user, or standard_input_name
  schema::Bytes content;                     // of the whole file; mapped if it contains constants
  std::filesystem::path base_directory;      // for weights files; empty: these are refused
  std::string weights_stem;                  // of the names of weights files; empty: the model file's
  const compiler::Format* format = nullptr;  // null: unknown

  /// Whether it came from a file, which can be read again.
  bool is_file() const { return content.size() != 0 && name != standard_input_name; }
  bool holds(compiler::Holds what) const { return format && format->holds == what; }
  std::string_view text() const { return schema::text_of(content); }
};

/// Opens a file. A program file is mapped, however large. Throws Error: io, or resource when
/// the file is longer than the limit.
Source open_source(const compiler::FileName& file, const compiler::LoadOptions& options);
/// Reads standard input to its end; throws like open_source.
Source open_standard_input(const compiler::LoadOptions& options);

/// The options for reading the graph in a source.
compiler::LoadOptions load_options(const Source& source, const compiler::LoadOptions& options);

/// The lines of a source, for messages; without those of other files. Valid as long as `source`.
schema::SourceText lines_of(const Source& source);

}  // namespace webnn::api
