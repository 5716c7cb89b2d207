// The hash of a graph: equal for equal graphs in every file format.
#pragma once

#include <string>

#include "compiler/ir/graph.hpp"

namespace webnn::cli {

/// Of everything except the contents of constants: 16 hexadecimal digits.
std::string structure_hash(const compiler::Graph& graph);

/// Of everything; reads all constants.
std::string whole_hash(const compiler::Graph& graph);

}  // namespace webnn::cli
