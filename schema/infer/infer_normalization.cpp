// Shape rules of the normalisations: which axes the one-dimensional operands belong to.
#include "schema/infer/infer.hpp"
#include "schema/infer/infer_support.hpp"
#include "schema/sentence.hpp"

namespace webnn::schema {

void infer_batch_normalization(const OperatorCall& call, Inference& result) {
  if (!check_axis(call, result, "axis", call.shape(0).rank())) return;
  const std::uint32_t axis = call.u32("axis"), size = call.shape(0)[axis];
  for (std::string_view operand : {"mean", "variance", "scale", "bias"})
    check_shape(call, result, operand, {size}, sentence("the size of axis ", axis, " of the input"));
  infer_same(call, result);
}

void infer_instance_normalization(const OperatorCall& call, Inference& result) {
  const std::uint32_t channels = call.shape(0)[axis_of(call.text("layout"), 'c')];
  for (std::string_view operand : {"scale", "bias"})
    check_shape(call, result, operand, {channels}, "one value for each channel of the input");
  infer_same(call, result);
}

IntegerList inner_axes(const OperatorCall& call) {
  IntegerList axes;
  for (unsigned axis = 1; axis < call.shape(0).rank(); ++axis) axes.push_back(axis);
  return axes;
}

void infer_layer_normalization(const OperatorCall& call, Inference& result) {
  const Shape& input = call.shape(0);
  if (!check_axes(call, result, "axes", input.rank())) return;
  Sizes sizes;
  for (std::uint32_t axis : call.u32_list("axes")) sizes.push_back(input[axis]);
  for (std::size_t i = 1; i < call.op().operands.size(); ++i)
    check_shape(call, result, call.op().operands[i].name, sizes, "the input's sizes on 'axes', in their order");
  infer_same(call, result);
}

}  // namespace webnn::schema
