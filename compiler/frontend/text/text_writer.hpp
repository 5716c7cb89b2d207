// Writes a graph in the `.webnn` text format.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/frontend/source_form.hpp"

namespace webnn::compiler {

struct TextGraph {
  std::string text;
  /// What was renamed: the name of a value or output in the graph, and its name in the text.
  std::vector<std::pair<std::string, std::string>> renamed;
};

/// The text format allows fewer names than JSON (a letter, '_', '/' or '$', then letters, digits, '_', '.' and '/'),
/// and an output has the name of its value. Results are renamed to the outputs that they are. An output that is not a
/// result of its own becomes an identity of one; the reader removes the identity again if it is a second output of one
/// result. An identity in the graph that looks the same gets a label. Other names that cannot be written are an Error
/// (invalid_input) that lists the first ten, or with `rename` become v0, v1, ... Keys of weights stay as they are. An
/// inline scalar is written as a number if it is exact in float32, because some readers convert through that type;
/// constants in `filled` are always written as a number, in quotes if it is not exact.
TextGraph write_text_graph(const Graph& graph, const WeightsKeys& keys, bool rename,
                           const FilledConstants& filled = {});
inline TextGraph write_text_graph(const Graph& graph, WeightsStyle weights, bool rename) {
  return write_text_graph(graph, weights_keys(graph, weights), rename);
}

}  // namespace webnn::compiler
