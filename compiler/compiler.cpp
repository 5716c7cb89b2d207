#include "compiler/compiler.hpp"

#include <utility>

#include "compiler/passes/pipeline.hpp"

namespace webnn::compiler {

std::optional<Program> compile(Graph graph, const Options& options, Diagnostics& diagnostics) {
  Unit unit{std::move(graph), {}, options, diagnostics, {}};
  if (!run_pipeline(unit)) return std::nullopt;
  return std::move(unit.program);
}

}  // namespace webnn::compiler
