// Shape rules of reductions over axes, of argMin and argMax, and of operators that work along one axis.
#include <algorithm>

#include "schema/infer/infer.hpp"
#include "schema/infer/infer_support.hpp"

namespace webnn::schema {
namespace {

/// "calculate reduction output sizes": the axes are dropped, or kept with size 1.
Shape reduced(const Shape& shape, const std::vector<std::uint32_t>& axes, bool keep) {
  Shape result;
  for (unsigned axis = 0; axis < shape.rank(); ++axis) {
    if (std::ranges::find(axes, axis) == axes.end())
      result.push_back(shape[axis]);
    else if (keep)
      result.push_back(1);
  }
  return result;
}

}  // namespace

void infer_reduction(const OperatorCall& call, Inference& result) {
  if (!check_axes(call, result, "axes", call.shape(0).rank())) return;
  result.output(call.operand(0).type, reduced(call.shape(0), call.u32_list("axes"), call.boolean("keepDimensions")));
}

void infer_arg_reduction(const OperatorCall& call, Inference& result) {
  // Every index fits the output's type, because no dimension exceeds int32.
  if (!check_axis(call, result, "axis", call.shape(0).rank())) return;
  result.output(call.data_type("outputDataType"),
                reduced(call.shape(0), {call.u32("axis")}, call.boolean("keepDimensions")));
}

void infer_along_axis(const OperatorCall& call, Inference& result) {
  if (check_axis(call, result, "axis", call.shape(0).rank())) infer_same(call, result);
}

}  // namespace webnn::schema
