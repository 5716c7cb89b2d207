// Graphs from their text form, for tests that write them down.
#pragma once

#include <string>
#include <string_view>

#include "compiler/ir/graph.hpp"

namespace webnn::tests {

/// The graph of a whole text; a mistake in it fails the test.
compiler::Graph parsed(std::string_view text);
/// The same of the lines inside `graph "g" { }`.
compiler::Graph graph_of(const std::string& lines);

}  // namespace webnn::tests
