// A graph's hash: equal for equal graphs in whatever form they are written.
#pragma once

#include <string>

#include "compiler/ir/graph.hpp"

namespace webnn::cli {

/// Of everything but the content of constants: 16 hexadecimal digits.
std::string structure_hash(const compiler::Graph& graph);

/// Of everything; reads all constants.
std::string whole_hash(const compiler::Graph& graph);

}  // namespace webnn::cli
