// Reductions by workgroups: in one dispatch, or in two if rows are cut into parts.
#include <algorithm>

#include "runtime/vulkan/kernels/groups/reductions.hpp"
#include "runtime/vulkan/kernels/groups/row_groups.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

constexpr Variants row_reduction{shaders::row_reduction_real, shaders::row_reduction_signed,
                                 shaders::row_reduction_unsigned};

/// The axes of a reduction: neighbours that are both kept or both reduced are one axis, and those of size 1 none.
struct ReducedAxes {
  Shape kept, reduced;
  Strides kept_strides{}, reduced_strides{};
  bool last_is_reduced = false;

  explicit ReducedAxes(const OperatorCall& call) {
    const Shape& shape = call.shape(0);
    const Strides own = row_major_strides(shape);
    const auto axes = call.u32_list("axes");
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

Dispatches dispatch_row_reduction(const KernelSpec& spec, const Target& target) {
  const SpecCall call(spec);
  const DataType type = call.operand(0).type;
  const ReducedAxes axes(call);
  RowGroups plan = RowGroups::folded(axes.view(), type, target, spec.op == "reduceLogSumExp"_op ? 2 : 1);
  plan.vectors &= !axes.walks() || axes.reduced[axes.reduced.rank() - 1] % 4 == 0;
  enum class Pass : std::uint32_t { all, gather, finish };
  const std::uint64_t carry_bytes = plan.parts == 1 ? 0 : plan.rows * plan.parts * sizeof(std::uint64_t);
  Dispatches list;
  list.scratch_bytes = carry_bytes;
  const auto add = [&](Pass pass, const RowGroups& groups) {
    DispatchMaker maker(
        row_reduction.of(type),
        {code(type), reduction_number(spec.op), std::uint32_t(pass), axes.walks() && pass != Pass::finish}, row_group);
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

/// More than one element for each result.
bool reduces(const KernelSpec& spec) { return ReducedAxes(SpecCall(spec)).reduced.rank() > 0; }

}  // namespace

constexpr GpuKernel row_reduction_list[] = {
    {.row = {.name = "reduction.rows", .family = Family::reduction, .can = reduces, .factor = 0.5},
     .dispatches = dispatch_row_reduction},
};
extern constexpr GpuKernels row_reduction_kernels(row_reduction_list);

}  // namespace webnn::runtime::vulkan
