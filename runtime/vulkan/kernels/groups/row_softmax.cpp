// softmax by workgroups that read each element once.
#include "runtime/vulkan/kernels/estimates.hpp"
#include "runtime/vulkan/kernels/groups/row_groups.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

Dispatches dispatch_row_softmax(const KernelSpec& spec, const Target& target) {
  const SpecCall call(spec);
  const DataType type = call.operand(0).type;
  const RowGroups plan = RowGroups::kept(view_along(call.shape(0), call.u32("axis")), type, target);
  enum class Pass : std::uint32_t { all, gather, write };
  const std::uint64_t carry_bytes = plan.parts == 1 ? 0 : plan.rows * plan.parts * 2 * sizeof(float);
  Dispatches list;
  list.scratch_bytes = carry_bytes;
  const auto add = [&](Pass pass) {
    DispatchMaker maker(shaders::row_softmax(), {code(type), std::uint32_t(pass)}, row_group);
    plan.specialize(maker, pass == Pass::write ? 1 : plan.kept_lines(type));
    maker.input(spec, 0);
    pass == Pass::gather ? maker.absent() : maker.output(spec);
    pass == Pass::all ? maker.absent() : maker.scratch(0, carry_bytes, pass == Pass::write, pass == Pass::gather);
    plan.add_sizes(maker);
    constexpr std::uint64_t loops = 3;
    maker.turns(loops * (plan.turns() + plan.turns_of_parts()));
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

}  // namespace

constexpr GpuKernel row_softmax_list[] = {
    {.row = {.name = "softmax.rows", .op = "softmax", .in_place = 0b01, .factor = 0.5, .scale = groups_on_target},
     .dispatches = dispatch_row_softmax},
};
extern constexpr GpuKernels row_softmax_kernels(row_softmax_list);

}  // namespace webnn::runtime::vulkan
