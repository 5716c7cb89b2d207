// recognise: operators written with several others -> the one operator; see rewrites/recognise.cpp.
//
//   mul(x, div(clamp(add(x, 3)) {minValue=0, maxValue=6}, 6)) -> hardSwish(x)
//
// An operator that no kernel takes whole stays as it is: `decompose` may have written it so.
#include "compiler/passes/choose_kernel.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {
namespace {

bool has_kernel(const Unit& unit, OperatorId op, const OperandDescriptor& descriptor) {
  KernelSpec spec;
  spec.op = op;
  spec.attributes = Attributes(row(op).attributes.size());
  spec.inputs = {descriptor};
  spec.outputs = {descriptor};
  return choose_kernel(spec, unit.options).has_value();
}

}  // namespace

void recognise(Unit& unit) {
  static const RewriteSet rewrites(recognise_rewrites());
  for (const NodeId id : unit.graph.order()) {
    if (!unit.graph.node(id).alive || row(unit.graph.node(id).op).family != Family::binary) continue;
    const OperandDescriptor& result = unit.graph.value(unit.graph.node(id).outputs[0]).descriptor;
    if (has_kernel(unit, "hardSwish"_op, result) && has_kernel(unit, "gelu"_op, result))
      rewrites.apply_at(unit.graph, id);
  }
}

}  // namespace webnn::compiler
