// layerNormalization, @rmsNormalization and instanceNormalization by workgroups that read each element once.
#include <algorithm>

#include "runtime/vulkan/kernels/groups/row_groups.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

/// Rows over neighbouring axes.
AxisView view_over(const Shape& shape, std::uint32_t first, std::uint32_t last) {
  AxisView view = view_along(shape, first);
  for (std::uint32_t axis = first + 1; axis <= last; ++axis) {
    view.size *= shape[axis];
    view.inner /= shape[axis];
  }
  return view;
}

Dispatches dispatch_row_normalization(const KernelSpec& spec, const Target& target, const AxisView& view,
                                      std::uint32_t channels) {
  const SpecCall call(spec);
  const DataType type = call.operand(0).type;
  const RowGroups plan = RowGroups::kept(view, type, target);
  enum class Pass : std::uint32_t { all, gather, write };
  const std::uint64_t carry_bytes = plan.parts == 1 ? 0 : plan.rows * plan.parts * 3 * sizeof(float);
  Dispatches list;
  list.scratch_bytes = carry_bytes;
  const auto add = [&](Pass pass) {
    DispatchMaker maker(shaders::row_normalization(),
                        {code(type), call.has_operand(1), call.has_operand(2), std::uint32_t(channels != 0),
                         std::uint32_t(pass), call.id() != "@rmsNormalization"_op},
                        row_group);
    plan.specialize(maker, pass == Pass::write ? 1 : plan.kept_lines(type));
    maker.input(spec, 0);
    if (pass == Pass::gather)
      maker.absent().absent().absent();
    else
      maker.input(spec, 1).input(spec, 2).output(spec);
    pass == Pass::all ? maker.absent() : maker.scratch(0, carry_bytes, pass == Pass::write, pass == Pass::gather);
    plan.add_sizes(maker);
    constexpr std::uint64_t loops = 3;
    maker.word(channels).real(parameter(call, "epsilon")).turns(loops * (plan.turns() + plan.turns_of_parts()));
    list.dispatches.push_back(maker.over_groups(plan.blocks() * plan.parts));
  };
  if (plan.parts == 1) {
    add(Pass::all);
  } else {
    add(Pass::gather);
    add(Pass::write);
  }
  return list;
}

Dispatches dispatch_row_instance_normalization(const KernelSpec& spec, const Target& target) {
  const Shape& shape = spec.inputs[0]->shape;
  return dispatch_row_normalization(spec, target, view_over(shape, 2, 3), shape[1]);
}

Dispatches dispatch_row_layer_normalization(const KernelSpec& spec, const Target& target) {
  const SpecCall call(spec);
  const auto axes = call.u32_list("axes");
  return dispatch_row_normalization(spec, target, view_over(call.shape(0), axes.front(), axes.back()), 0);
}

/// Axes one after another, so that they are one axis of the elements in memory and of the scales.
bool normalizes_rows(const KernelSpec& spec) {
  const auto axes = SpecCall(spec).u32_list("axes");
  return !axes.empty() && std::ranges::adjacent_find(axes, [](auto a, auto b) { return b != a + 1; }) == axes.end();
}

}  // namespace

constexpr GpuKernel row_normalization_list[] = {
    {.row = {.name = "instanceNormalization.rows",
             .op = "instanceNormalization",
             .in_place = 0b01,
             .can = is_nchw,
             .factor = 0.5},
     .dispatches = dispatch_row_instance_normalization},
    {.row = {.name = "layerNormalization.rows",
             .op = "layerNormalization",
             .in_place = 0b01,
             .can = normalizes_rows,
             .factor = 0.5},
     .dispatches = dispatch_row_layer_normalization},
    {.row = {.name = "rmsNormalization.rows",
             .op = "@rmsNormalization",
             .in_place = 0b01,
             .can = normalizes_rows,
             .factor = 0.5},
     .dispatches = dispatch_row_layer_normalization},
};
extern constexpr GpuKernels row_normalization_kernels(row_normalization_list);

}  // namespace webnn::runtime::vulkan
