// simplify: every part of the graph that matches a row of rewrites/simplify.cpp -> its shorter replacement.
#include "compiler/passes/passes.hpp"
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {

void simplify(Unit& unit) {
  static const RewriteSet rewrites(simplify_rewrites());
  rewrites.apply(unit.graph);
}

}  // namespace webnn::compiler
