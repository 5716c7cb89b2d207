// Reductions, scans and softmax along axes. A row of many elements is folded by a workgroup together, one of few by an
// invocation alone.
#include <algorithm>
#include <utility>

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

constexpr OperatorId reductions[] = {"reduceL1"_op,  "reduceL2"_op,       "reduceLogSum"_op, "reduceLogSumExp"_op,
                                     "reduceMax"_op, "reduceMean"_op,     "reduceMin"_op,    "reduceProduct"_op,
                                     "reduceSum"_op, "reduceSumSquare"_op};

constexpr Variants reduction{shaders::reduction_real, shaders::reduction_signed, shaders::reduction_unsigned};
constexpr Variants arg_reduction{shaders::arg_reduction_real, shaders::arg_reduction_signed,
                                 shaders::arg_reduction_unsigned};
constexpr Variants cumulative_sum{shaders::cumulative_sum_real, shaders::cumulative_sum_signed,
                                  shaders::cumulative_sum_unsigned};

/// An invocation walks along the operator's axis alone. `choice(call)` are the shader's constants behind the type.
template <typename Choice>
Plan along_axis(const KernelSpec& spec, const Variants& shader, Choice choice) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const DataType type = call.operand(0).type;
  const AxisView view = view_along(call.shape(0), call.u32("axis"));
  const auto [first, second] = choice(call);
  return DispatchMaker(shader.of(type), {code(type), first, second})
      .input(spec, 0)
      .output(spec)
      .word(view.outer * view.inner)
      .word(view.size)
      .word(view.inner)
      .over(view.outer * view.inner);
}

}  // namespace

Plan plan_reduction(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const Shape& shape = call.shape(0);
  const Strides own = row_major_strides(shape);
  const auto axes = call.u32_list("axes");
  Shape kept, reduced;
  Strides kept_strides{}, reduced_strides{};
  for (unsigned axis = 0; axis < shape.rank(); ++axis) {
    const bool is_reduced = std::ranges::find(axes, axis) != axes.end();
    Shape& part = is_reduced ? reduced : kept;
    (is_reduced ? reduced_strides : kept_strides)[part.rank()] = own[axis];
    part.push_back(shape[axis]);
  }
  const DataType type = call.operand(0).type;
  const Rows rows{element_count(kept), element_count(reduced)};
  DispatchMaker maker(reduction.of(type), {code(type), number_in(reductions, spec.op)});
  maker.input(spec, 0)
      .output(spec)
      .word(rows.count)
      .word(rows.elements)
      .word(kept.rank())
      .word(reduced.rank())
      .shape(kept)
      .strides(kept_strides)
      .shape(reduced)
      .strides(reduced_strides);
  return rows.over(maker);
}

Plan plan_arg_reduction(const KernelSpec& spec) {
  const std::uint32_t result = code(spec.outputs[0].type);
  return along_axis(spec, arg_reduction, [&](const OperatorCall&) {
    return std::pair{result, std::uint32_t(spec.op == "argMax"_op)};
  });
}

Plan plan_cumulative_sum(const KernelSpec& spec) {
  return along_axis(spec, cumulative_sum, [](const OperatorCall& call) {
    return std::pair{std::uint32_t(call.boolean("exclusive")), std::uint32_t(call.boolean("reversed"))};
  });
}

Plan plan_softmax(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const AxisView view = view_along(call.shape(0), call.u32("axis"));
  const Rows rows{view.outer * view.inner, view.size};
  DispatchMaker maker(shaders::softmax(), {code(call.operand(0).type)});
  maker.input(spec, 0).output(spec).word(rows.count).word(view.size).word(view.inner);
  return rows.over(maker);
}

}  // namespace webnn::runtime::vulkan
