// canonicalize: `x : float32[batch <= 8, 3]` and --dim batch=4 -> `x : float32[4, 3]`, and all descriptors that follow.
#include "compiler/passes/passes.hpp"

namespace webnn::compiler {

void canonicalize(Unit& unit) {
  for (const Graph::BindError& error : unit.graph.bind_dimensions(unit.options.dimensions)) {
    if (!error.node.valid()) {
      unit.diagnostics.error(Code::unbound_dimension, {}, error.message)
          .hints.push_back("give its size, as in --dim batch=4");
      continue;
    }
    const Node& node = unit.graph.node(error.node);
    unit.diagnostics.error(Code::bad_call, {}, error.message)
        .hints.push_back("with these sizes of the named dimensions '" + node.label + "' is not a correct call");
  }
}

}  // namespace webnn::compiler
