// A format of graph files as one value: what it is called, how its files are recognised, what reads and writes them.
// formats.def lists the formats; all that lists, finds or chooses formats goes through the table that it makes.
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

/// What a file of a format holds.
enum class Holds : std::uint8_t { graph, program, weights_manifest };

struct Format {
  std::string_view name = {};    // the word of --format and --to
  std::string_view suffix = {};  // of files' names, with its dot; empty: no suffix of its own
  Holds holds = Holds::graph;
  bool is_binary = false;  // nothing for a terminal

  // ---- how its files are recognised
  /// How messages describe it to a reader who has something else; empty: they do not.
  std::string_view known_by = {};
  /// Whether the content begins like one; null: files of this format are not recognised.
  bool (*begins)(std::string_view content) = nullptr;
  /// What tells it from formats that begin alike; null: it is the only one that begins so.
  bool (*confirms)(std::string_view content) = nullptr;

  // ---- reading; `read` null: files of this format are not read as graphs
  /// Nullopt, and diagnostics, when there are mistakes. Of a format that holds no graph it reports that.
  std::optional<Graph> (*read)(const Bytes& file, const LoadOptions& options, Diagnostics& diagnostics) = nullptr;
  /// The file as a tree of webnn-graph-json, which says how each constant is given; null: all are given as bytes.
  std::optional<JsonDocument> (*tree)(std::string_view content, const LoadOptions& options,
                                      Diagnostics& diagnostics) = nullptr;
  /// Constants are views on the file, which is mapped whatever its size; `read` limits what it reads besides them.
  bool holds_constants = false;
  /// The part of a file that says all about it; null: that takes the whole.
  std::span<const std::byte> (*telling_part)(const Bytes& file) = nullptr;
  /// The files that weights may be read from, there or not; null: none but the graph file.
  std::vector<std::filesystem::path> (*weights_files)(const Bytes& file, const LoadOptions& options) = nullptr;

  // ---- writing; `write` null: nothing is written in this format
  WrittenGraph (*write)(const Graph& graph, const WriteOptions& options) = nullptr;
  std::span<const WeightsPlace> weights = {};  // where constants may be, the usual place first
  bool keeps_source = false;                   // a constant can stay one number, or the key of a weights file
  bool renames = false;                        // has not every name; WriteOptions::rename makes others of these
};

// The rows' values. Those of TOOL_FORMAT are defined in other libraries.
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
/// The format of the content, by its first bytes (JSON: by its top-level member "format"); null: it is none of these.
const Format* recognise(Formats formats, std::string_view content);
bool is_of_format(const Format& format, std::string_view content);
/// The format whose reader takes the content: the first that begins so, whether or not the rest confirms it; null:
/// there is none.
const Format* format_to_read(Formats formats, std::string_view content);

/// Those that a graph can be asked of: their words are the ones of --format.
std::vector<const Format*> read_formats(Formats formats);
std::vector<const Format*> written_formats(Formats formats);
/// Whether files with this suffix may hold a graph that is read.
bool is_graph_suffix(Formats formats, std::string_view suffix);

/// "a, b or c"
std::string either_of(std::span<const std::string_view> words);

/// The content of a text from its first word on: behind a byte order mark, blanks and comments ('#' to the end of the
/// line).
std::string_view text_start(std::string_view content);

}  // namespace webnn::compiler
