// The compiler: it turns a graph into a program.
#pragma once

#include <optional>

#include "compiler/ir/graph.hpp"
#include "compiler/options.hpp"
#include "schema/diagnostics.hpp"
#include "schema/program.hpp"

namespace webnn::compiler {

/// Runs the passes of passes.def. Nullopt when there is a diagnostic of severity error, or when `stop_after` ended the
/// run before a program was made.
std::optional<Program> compile(Graph graph, const Options& options, Diagnostics& diagnostics);

}  // namespace webnn::compiler
