// A graph as `.webnn` text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/frontend/source_form.hpp"

namespace webnn::compiler {

struct TextForm {
  std::string text;
  /// What was renamed: the graph's name of a value or output, and the name in the text.
  std::vector<std::pair<std::string, std::string>> renamed;
};

/// The text form has fewer names than JSON (a letter, '_', '/' or '$', then letters, digits, '_', '.' and '/'), and an
/// output has the name of its value. Results are renamed to the outputs that they are; an output that is no result of
/// its own becomes an identity of it, which the reader folds back when it is a second output of one result; an identity
/// of the graph's own that looks alike gets a label. Other names that cannot be written are an Error (invalid_input)
/// that lists the first ten, or become v0, v1, ... with `rename`. Keys of weights stay as they are. A scalar that is in
/// the text itself is written as a number when it is exact as float32, because some readers go through that type; one
/// of `filled` is always, in quotes when it is not.
TextForm write_text_graph(const Graph& graph, const WeightsKeys& keys, bool rename, const FilledConstants& filled = {});
inline TextForm write_text_graph(const Graph& graph, WeightsForm weights, bool rename) {
  return write_text_graph(graph, weights_keys(graph, weights), rename);
}

}  // namespace webnn::compiler
