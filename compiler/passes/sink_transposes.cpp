// sink_transposes: relu(transpose(x)) -> transpose(relu(x)), until transposes meet and cancel; see
// rewrites/sink_transposes.cpp.
#include "compiler/passes/passes.hpp"
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {

void sink_transposes(Unit& unit) {
  static const RewriteSet rewrites(sink_transposes_rewrites());
  rewrites.apply(unit.graph);
}

}  // namespace webnn::compiler
