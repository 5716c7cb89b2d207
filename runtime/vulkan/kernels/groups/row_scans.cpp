// argMin, argMax and cumulativeSum by workgroups: in one dispatch, or in two if rows are cut into parts.
#include "runtime/vulkan/kernels/estimates.hpp"
#include "runtime/vulkan/kernels/groups/row_groups.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

constexpr Variants row_arg_reduction{shaders::row_arg_reduction_real, shaders::row_arg_reduction_signed,
                                     shaders::row_arg_reduction_unsigned};
constexpr Variants row_cumulative_sum{shaders::row_cumulative_sum_real, shaders::row_cumulative_sum_signed,
                                      shaders::row_cumulative_sum_unsigned};

enum class Pass : std::uint32_t { all, gather, last };

Dispatches dispatch_row_arg_reduction(const KernelSpec& spec, const Target& target) {
  const SpecCall call(spec);
  const DataType type = call.operand(0).type;
  const AxisView view = view_along(call.shape(0), call.u32("axis"));
  const RowGroups plan = RowGroups::folded(view, type, target);
  const std::uint64_t carry_bytes = plan.parts == 1 ? 0 : plan.rows * plan.parts * sizeof(std::uint32_t);
  Dispatches list;
  list.scratch_bytes = carry_bytes;
  const auto add = [&](Pass pass, const RowGroups& groups) {
    DispatchMaker maker(
        row_arg_reduction.of(type),
        {code(type), code(spec.outputs[0].type), std::uint32_t(spec.op == "argMax"_op), std::uint32_t(pass)},
        row_group);
    groups.specialize(maker);
    maker.input(spec, 0);
    pass == Pass::gather ? maker.absent() : maker.output(spec);
    pass == Pass::all ? maker.absent() : maker.scratch(0, carry_bytes, pass == Pass::last, pass == Pass::gather);
    maker.word(groups.rows).word(groups.size).word(plan.inner).word(groups.parts).word(groups.part_size);
    maker.word(view.size).turns(groups.turns(), 8);
    list.dispatches.push_back(maker.over_groups(groups.blocks() * groups.parts));
  };
  add(plan.parts == 1 ? Pass::all : Pass::gather, plan);
  if (plan.parts > 1) add(Pass::last, RowGroups::whole({plan.rows, plan.parts, 1}));
  return list;
}

Dispatches dispatch_row_cumulative_sum(const KernelSpec& spec, const Target& target) {
  const SpecCall call(spec);
  const DataType type = call.operand(0).type;
  constexpr std::uint64_t turns = 10;  // the folds of each step
  const RowGroups plan = RowGroups::folded(view_along(call.shape(0), call.u32("axis")), type, target, turns);
  const std::uint64_t carry_bytes = plan.parts == 1 ? 0 : plan.rows * plan.parts * sizeof(std::uint64_t);
  Dispatches list;
  list.scratch_bytes = carry_bytes;
  const auto add = [&](Pass pass) {
    DispatchMaker maker(row_cumulative_sum.of(type),
                        {code(type), call.boolean("exclusive"), call.boolean("reversed"), std::uint32_t(pass)},
                        row_group);
    plan.specialize(maker);
    maker.input(spec, 0);
    pass == Pass::gather ? maker.absent() : maker.output(spec);
    pass == Pass::all ? maker.absent() : maker.scratch(0, carry_bytes, pass == Pass::last, pass == Pass::gather);
    plan.add_sizes(maker);
    maker.turns(plan.turns() * turns + plan.turns_of_parts());
    list.dispatches.push_back(maker.over_groups(plan.blocks() * plan.parts));
  };
  add(plan.parts == 1 ? Pass::all : Pass::gather);
  if (plan.parts > 1) add(Pass::last);
  return list;
}

}  // namespace

constexpr GpuKernel row_scans_list[] = {
    {.row = {.name = "argReduction.rows", .family = Family::arg_reduction, .factor = 0.5},
     .dispatches = dispatch_row_arg_reduction},
    {.row = {.name = "cumulativeSum.rows", .op = "cumulativeSum", .factor = 0.5, .scale = groups_on_target},
     .dispatches = dispatch_row_cumulative_sum},
};
extern constexpr GpuKernels row_scans_kernels(row_scans_list);

}  // namespace webnn::runtime::vulkan
