// fold_constants: nodes whose operands are all constants -> constants, computed by the reference kernels.
#include "compiler/passes/parts/constant_folder.hpp"
#include "compiler/passes/passes.hpp"

namespace webnn::compiler {

void fold_constants(Unit& unit) { ConstantFolder(unit).run(); }

}  // namespace webnn::compiler
