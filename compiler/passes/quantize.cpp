// quantize: float operators between dequantizeLinear and quantizeLinear -> operators on the quantised numbers, where
// the target has fast kernels for these; see rewrites/quantize.cpp.
//
//   quantizeLinear(relu(conv2d(dequantizeLinear(x, ..), dequantizeLinear(w, ..), b)), ..)
//     -> @quantizedConv2d(x, w, b, ..)
//
// Before fold_constants, which would write quantised weights out as floats.
#include <algorithm>

#include "compiler/passes/choose_kernel.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {
namespace {

/// Whether a kernel that is no reference kernel may be chosen for some call of the operator.
bool has_fast_kernel(OperatorId op, const Options& options) {
  KernelSpec call;
  call.op = op;
  return std::ranges::any_of(kernel_table(), [&](const KernelRow& candidate) {
    return candidate.op == row(op).name && candidate.device == options.target.device &&
           includes(options.target.features, candidate.features) && candidate.provider() != "reference" &&
           (options.kernels.empty() || candidate.provider() == options.kernels) &&
           (!options.available || options.available(candidate, call));
  });
}

}  // namespace

void quantize(Unit& unit) {
  static const RewriteSet rewrites(quantize_rewrites());
  if (has_fast_kernel("@quantizedConv2d"_op, unit.options)) rewrites.apply(unit.graph);
}

}  // namespace webnn::compiler
