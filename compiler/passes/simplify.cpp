// simplify: every part of the graph that a row of rewrites/simplify.cpp describes -> its shorter form.
#include "compiler/passes/passes.hpp"
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {

void simplify(Unit& unit) {
  static const RewriteSet rewrites(simplify_rewrites());
  rewrites.apply(unit.graph);
}

}  // namespace webnn::compiler
