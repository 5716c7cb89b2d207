// A graph as `.webnn` text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/frontend/json_writer.hpp"

namespace webnn::compiler {

struct TextForm {
  std::string text;
  /// What was renamed: the graph's name of a value or output, and the name in the text.
  std::vector<std::pair<std::string, std::string>> renamed;
};

/// The text form has fewer names than JSON (a letter, '_', '/' or '$', then letters, digits, '_', '.' and '/'), and an
/// output has the name of its value. Results are renamed to the outputs that they are; an output that is no result of
/// its own gets an identity operator. Other names that cannot be written are an Error (invalid_input) that lists the
/// first ten, or become v0, v1, ... with `rename`.
TextForm write_text_graph(const Graph& graph, WeightsForm weights, bool rename);

}  // namespace webnn::compiler
