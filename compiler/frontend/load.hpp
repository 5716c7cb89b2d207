// Opening a graph file of any format that is read: which one is found by content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/frontend/file_name.hpp"
#include "compiler/frontend/format.hpp"
#include "compiler/ir/evaluate.hpp"
#include "compiler/ir/graph.hpp"
#include "schema/diagnostics.hpp"

namespace webnn::compiler {

/// An input of the file that becomes a constant.
struct ConstantInput {
  std::string name;
  std::string text;  // what the user gave, for messages and keys
  /// Its elements, row-major. Throws Error.
  std::function<Bytes(const OperandDescriptor& descriptor)> read;
};

/// What became of one operator of a file's own language, over all of its nodes.
struct OperatorUse {
  std::string name;  // "Conv", "com.microsoft Gelu"
  std::size_t nodes = 0;
  std::size_t refused = 0;  // of them
  std::size_t unknown = 0;  // of them: an operand was refused before
  std::string problem;      // why the first was refused
};

struct LoadOptions {
  Formats formats = frontend_formats();  // what the content may be
  const Format* format = nullptr;        // what the user says that it is; null: it is found by content
  std::string file_name;                 // for messages
  std::filesystem::path base_directory;  // weights files are looked for in and below it; empty: weights are refused
  std::string weights_stem;              // of the weights' names there; empty: the graph file's
  std::filesystem::path weights_file;    // named by the user; empty: found beside the graph file
  std::uint64_t max_file_bytes = std::uint64_t{1} << 30;  // of the graph file, without constants that are mapped
  /// As many results may be there, too, that the file does not name.
  std::uint32_t max_nodes = 1u << 20;
  std::uint32_t max_depth = 64;                               // nesting of JSON
  std::uint64_t max_tensor_bytes = schema::max_tensor_bytes;  // of each input, constant and result
  std::uint64_t max_filled_bytes = std::uint64_t{1} << 31;    // of constants that repeat a number or copy weights
  std::uint64_t max_work = 0;  // of what formats that compute shapes compute: operations plus bytes; 0: their own limit
  /// Not null: weights may be missing. Counts the constants that refer to a weights file which is not there; they have
  /// bytes all the same, which take no memory and mean nothing.
  std::size_t* without_weights = nullptr;

  /// Sizes of named dimensions. Formats that compute shapes (Format::computes_shapes) need them; for others
  /// Graph::bind_dimensions does the same afterwards.
  std::vector<std::pair<std::string, std::uint32_t>> dimensions;
  /// The sizes are for several files: a name that this file has not is no mistake.
  bool shares_dimensions = false;
  Evaluate evaluate;  // for formats that compute shapes; null: nothing can be computed
  std::vector<ConstantInput> constant_inputs;
  /// Not null: receives the operators by name, from formats that have operators of their own.
  std::vector<OperatorUse>* operators = nullptr;
  bool double_as_float32 = false;  // numbers of type float64 are rounded; else refused
};

/// The format that content is read as: the one in the options, else the first whose files begin so; null: none does.
const Format* chosen_format(std::string_view content, const LoadOptions& options);

/// The content of a graph file: mapped when its format holds constants, else read whole. Throws Error: io, or resource
/// when it is longer than `max_bytes` (asked of a mapped one when it is read).
Bytes open_graph_file(const FileName& file, std::uint64_t max_bytes, Formats formats = frontend_formats());

/// Reads a graph file and maps its weights. Nullopt when there are errors. Throws Error when the file cannot be read at
/// all.
std::optional<Graph> load_graph(const std::filesystem::path& file, LoadOptions options, Diagnostics& diagnostics);

/// The same for content that is open already. Constants may be views on it. Throws Error (usage) when a weights file is
/// named that would not be read.
std::optional<Graph> read_graph(const Bytes& content, const LoadOptions& options, Diagnostics& diagnostics);
/// The same for text; of a format that holds constants it is copied.
std::optional<Graph> read_graph(std::string_view content, const LoadOptions& options, Diagnostics& diagnostics);

/// The STEM of the names under which weights are looked for.
std::string weights_stem(const LoadOptions& options);

/// Every file that may be looked at for the weights of a graph that names them by keys, there or not: what formats of
/// such graphs have as Format::weights_files.
std::vector<std::filesystem::path> weights_found_by_name(const Bytes& file, const LoadOptions& options);

}  // namespace webnn::compiler
