// Parses a node of the text format: its operator, operands, attributes, post-ops, types and label.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/line_reader.hpp"

namespace webnn::compiler {

/// Reads the part of a line behind `%x, %y =` and adds the node to `graph`; `names` are those of its results. False when
/// the reader has a complaint; the graph then has no new node.
bool parse_node(LineReader& reader, const std::vector<std::string>& names, Graph& graph);

}  // namespace webnn::compiler
