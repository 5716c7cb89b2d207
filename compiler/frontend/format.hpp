// A graph file format as a single value: its name, how its files are recognised, and its reader and writer. formats.def
// lists the formats. All code that lists, finds or chooses formats uses the table generated from it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/written_files.hpp"
#include "compiler/ir/graph.hpp"
#include "schema/diagnostics.hpp"

namespace webnn::compiler {

class JsonDocument;
struct LoadOptions;

/// The content of a format's files.
enum class Holds : std::uint8_t { graph, program, weights_manifest };

struct Format {
  std::string_view name = {};    // the word of --format and --to
  std::string_view suffix = {};  // of file names, with the dot; empty: no suffix of its own
  Holds holds = Holds::graph;
  bool is_binary = false;  // not to be printed on a terminal

  // ---- how its files are recognised
  /// The description in messages about a file of another format; empty: not mentioned.
  std::string_view known_by = {};
  /// Whether the content begins like a file of this format; null: its files are not recognised.
  bool (*begins)(std::string_view content) = nullptr;
  /// Finds the mark that tells formats apart which begin alike; null: no other format begins like this one.
  std::string (*mark)(std::string_view content) = nullptr;
  std::string_view marked = {};  // this format's mark

  // ---- reading; if `read` is null, files of this format cannot be read as graphs
  /// Nullopt, with diagnostics, when there are mistakes. For a format without graphs it reports that.
  std::optional<Graph> (*read)(const Bytes& file, const LoadOptions& options, Diagnostics& diagnostics) = nullptr;
  /// Reads the file as a webnn-graph-json tree, which shows how each constant is given; null: all are given as bytes.
  std::optional<JsonDocument> (*tree)(std::string_view content, const LoadOptions& options,
                                      Diagnostics& diagnostics) = nullptr;
  /// The constants are views of the file, which is mapped whatever its size; `read` limits the size of the rest.
  bool holds_constants = false;
  /// Its graphs compute shapes from the sizes of their inputs: named dimensions get theirs while the file is read
  /// (LoadOptions::dimensions), and graphs that were read have none.
  bool computes_shapes = false;
  /// The part that determines the whole file, such as metadata with checksums; null: there is no smaller part.
  Bytes (*telling_part)(const Bytes& file) = nullptr;
  /// Constants may be keys of a weights file, which the user may name (LoadOptions::weights_file).
  bool takes_weights_file = false;
  /// The files that weights may be read from, existing or not; null: only the graph file.
  std::vector<std::filesystem::path> (*weights_files)(const Bytes& file, const LoadOptions& options) = nullptr;

  // ---- writing; if `write` is null, the format cannot be written
  WrittenGraph (*write)(const Graph& graph, const WriteOptions& options) = nullptr;
  std::span<const WeightsPlace> weights = {};  // possible places of the constants, the default first
  std::string_view external_file = {};         // what WeightsPlace::external writes, for help: "STEM.bin"
  bool keeps_source = false;                   // a constant can stay one number, or the key of a weights file
  bool renames = false;                        // cannot hold every name; WriteOptions::rename replaces the others
  /// A page beside the written graph that runs it in a browser; null: this format has none.
  WrittenFile (*page)(const Graph& graph, const WriteOptions& options) = nullptr;
};

// The values of the rows; those of TOOL_FORMAT rows are defined in other libraries.
#define FORMAT(name) extern const Format name##_format;
#define TOOL_FORMAT(name) FORMAT(name)
#include "compiler/frontend/formats.def"
#undef TOOL_FORMAT
#undef FORMAT

/// A table of formats, in its order.
using Formats = std::span<const Format* const>;

/// The formats of the frontend. compiler/formats has all of them.
Formats frontend_formats();

/// The format with this name; null: there is none.
const Format* format_named(Formats formats, std::string_view name);
/// The format of the content, from its first bytes (JSON: from its top-level member "format"); null: none of these.
const Format* recognise(Formats formats, std::string_view content);
bool is_of_format(const Format& format, std::string_view content);
/// The format whose reader gets the content: the first one whose `begins` accepts it, even if its mark is another;
/// null: there is none.
const Format* format_to_read(Formats formats, std::string_view content);

/// The formats from which graphs can be read; their names are the values of --format.
std::vector<const Format*> read_formats(Formats formats);
std::vector<const Format*> written_formats(Formats formats);
/// Whether files with this suffix may hold a graph that can be read.
bool is_graph_suffix(Formats formats, std::string_view suffix);

/// The content of a text from its first word on, without byte order mark, blanks and comments ('#' to the end of the
/// line).
std::string_view text_start(std::string_view content);

}  // namespace webnn::compiler
