// The compiler: a graph in, a program out.
#pragma once

#include <optional>

#include "compiler/ir/graph.hpp"
#include "compiler/options.hpp"
#include "schema/diagnostics.hpp"
#include "schema/program.hpp"

namespace webnn::compiler {

/// Runs the passes of passes.def. Nullopt when a diagnostic of severity error was added, or when `stop_after` ended the
/// run before a program was there.
std::optional<Program> compile(Graph graph, const Options& options, Diagnostics& diagnostics);

}  // namespace webnn::compiler
