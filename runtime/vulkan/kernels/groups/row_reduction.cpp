// Reductions by workgroups, and pooling of whole images: in one dispatch, or in two if rows are cut into parts.
#include <algorithm>

#include "runtime/kernel_conditions.hpp"
#include "runtime/vulkan/kernels/groups/reductions.hpp"
#include "runtime/vulkan/kernels/groups/row_groups.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::vulkan {
namespace {

constexpr Variants row_reduction{shaders::row_reduction_real, shaders::row_reduction_signed,
                                 shaders::row_reduction_unsigned};

/// The axes of a reduction: neighbours that are both kept or both reduced are one axis, and those of size 1 none.
struct ReducedAxes {
  Shape kept, reduced;
  Strides kept_strides{}, reduced_strides{};
  bool last_is_reduced = false;

  /// Of a tensor with this shape in memory.
  ReducedAxes(const Shape& shape, std::span<const std::uint32_t> axes) {
    const Strides own = row_major_strides(shape);
    bool any = false;
    for (unsigned axis = 0; axis < shape.rank(); ++axis) {
      if (shape[axis] == 1) continue;
      const bool is_reduced = std::ranges::find(axes, axis) != axes.end();
      Shape& part = is_reduced ? reduced : kept;
      Strides& strides = is_reduced ? reduced_strides : kept_strides;
      if (any && is_reduced == last_is_reduced) {
        part[part.rank() - 1] *= shape[axis];
        strides[part.rank() - 1] = own[axis];
      } else {
        strides[part.rank()] = own[axis];
        part.push_back(shape[axis]);
      }
      last_is_reduced = is_reduced;
      any = true;
    }
  }

  bool walks() const { return reduced.rank() > 1; }
  AxisView view() const {
    AxisView view{element_count(kept), element_count(reduced), 1};
    if (!last_is_reduced && kept.rank() > 0) view.inner = kept[kept.rank() - 1];
    view.outer /= view.inner;
    return view;
  }
};

/// `op`: one of `reductions`.
Dispatches reduce(const KernelSpec& spec, OperatorId op, const ReducedAxes& axes, const Target& target) {
  const DataType type = spec.inputs[0]->type;
  RowGroups plan = RowGroups::folded(axes.view(), type, target, op == "reduceLogSumExp"_op ? 2 : 1);
  plan.vectors &= !axes.walks() || axes.reduced[axes.reduced.rank() - 1] % 4 == 0;
  enum class Pass : std::uint32_t { all, gather, finish };
  const std::uint64_t carry_bytes = plan.parts == 1 ? 0 : plan.rows * plan.parts * sizeof(std::uint64_t);
  Dispatches list;
  list.scratch_bytes = carry_bytes;
  const auto add = [&](Pass pass, const RowGroups& groups) {
    DispatchMaker maker(row_reduction.of(type),
                        {code(type), reduction_number(op), std::uint32_t(pass), axes.walks() && pass != Pass::finish},
                        row_group);
    groups.specialize(maker);
    pass == Pass::finish ? maker.absent() : maker.input(spec, 0);
    pass == Pass::gather ? maker.absent() : maker.output(spec);
    pass == Pass::all ? maker.absent() : maker.scratch(0, carry_bytes, pass == Pass::finish, pass == Pass::gather);
    groups.add_sizes(maker);
    maker.word(plan.size).word(axes.kept.rank()).word(axes.reduced.rank());
    maker.shape(axes.kept).strides(axes.kept_strides).shape(axes.reduced).strides(axes.reduced_strides);
    const std::uint64_t of_four = axes.walks() ? 4 * axes.reduced.rank() + 2 : 2;
    maker.turns(groups.turns() * of_four * (pass == Pass::finish ? 5 : 1));
    list.dispatches.push_back(maker.over_groups(groups.blocks() * groups.parts));
  };
  if (plan.parts == 1) {
    add(Pass::all, plan);
  } else {
    add(Pass::gather, plan);
    add(Pass::finish, RowGroups::whole({plan.rows, plan.parts, 1}));
  }
  return list;
}

ReducedAxes axes_of_reduction(const KernelSpec& spec) {
  const SpecCall call(spec);
  return {call.shape(0), call.u32_list("axes")};
}

Dispatches dispatch_row_reduction(const KernelSpec& spec, const Target& target) {
  return reduce(spec, spec.op, axes_of_reduction(spec), target);
}

/// More than one element for each result.
bool reduces(const KernelSpec& spec) { return axes_of_reduction(spec).reduced.rank() > 0; }

/// The window is the image.
bool pools_images(const KernelSpec& spec) {
  if (spec.outputs.empty() || !is_nchw(spec)) return false;
  const auto windows = sliding_windows(SpecCall(spec), spec.outputs[0].shape);
  const bool one_position = std::ranges::all_of(windows, [](const SlidingWindow& axis) {
    return axis.output == 1 && axis.begin == 0 && axis.window == axis.input && (axis.dilation == 1 || axis.window == 1);
  });
  return one_position && windows[0].window * windows[1].window > 1;
}

Dispatches dispatch_row_pooling(const KernelSpec& spec, const Target& target) {
  const Layout layout = common_layout(spec);
  constexpr std::uint32_t planes[] = {2, 3}, lines[] = {1, 2};
  const ReducedAxes axes(shape_in_memory(spec.inputs[0]->shape, layout),
                         layout == Layout::channels_last ? lines : planes);
  const OperatorId op = spec.op == "averagePool2d"_op ? "reduceMean"_op
                        : spec.op == "l2Pool2d"_op    ? "reduceL2"_op
                                                      : "reduceMax"_op;
  return reduce(spec, op, axes, target);
}

}  // namespace

constexpr GpuKernel row_reduction_list[] = {
    {.row = {.name = "reduction.rows", .family = Family::reduction, .can = reduces, .factor = 0.5},
     .dispatches = dispatch_row_reduction},
    {.row = {.name = "pool2d.rows",
             .family = Family::window,
             .layouts = LayoutRule::uniform,
             .can = pools_images,
             .factor = 0.5},
     .dispatches = dispatch_row_pooling},
};
extern constexpr GpuKernels row_reduction_kernels(row_reduction_list);

}  // namespace webnn::runtime::vulkan
