// Reductions, scans and softmax along axes. A long row is folded by a workgroup, a short one by a single invocation.
#include <algorithm>
#include <utility>

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/groups/reductions.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

constexpr Variants reduction{shaders::reduction_real, shaders::reduction_signed, shaders::reduction_unsigned};
constexpr Variants arg_reduction{shaders::arg_reduction_real, shaders::arg_reduction_signed,
                                 shaders::arg_reduction_unsigned};
constexpr Variants cumulative_sum{shaders::cumulative_sum_real, shaders::cumulative_sum_signed,
                                  shaders::cumulative_sum_unsigned};

/// One invocation for each line along the operator's axis. `choice(call)` gives the shader's constants behind the type.
template <typename Choice>
Dispatches along_axis(const KernelSpec& spec, const Variants& shader, std::uint64_t carry_bytes, Choice choice) {
  const SpecCall call(spec);
  const DataType type = call.operand(0).type;
  const AxisView view = view_along(call.shape(0), call.u32("axis"));
  const auto [first, second] = choice(call);
  const std::uint64_t rows = view.outer * view.inner;
  Dispatches list;
  for (const LoopPart& part : cut_loop(view.size, most_turns_of_part)) {
    if (!part.is_all()) list.scratch_bytes = rows * carry_bytes;
    list.dispatches.push_back(DispatchMaker(shader.of(type), {code(type), first, second})
                                  .input(spec, 0)
                                  .output(spec)
                                  .carry(part, rows * carry_bytes)
                                  .word(rows)
                                  .word(view.size)
                                  .word(view.inner)
                                  .word(part.first)
                                  .word(part.end)
                                  .turns(part.end - part.first)
                                  .over(rows));
  }
  return list;
}

}  // namespace

Dispatches dispatch_reduction(const KernelSpec& spec) {
  const SpecCall call(spec);
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
  const std::uint64_t loops = spec.op == "reduceLogSumExp"_op ? 2 : 1, turns = loops * (1 + reduced.rank());
  Dispatches list;
  for (const LoopPart& part : rows.parts(turns)) {
    const std::uint64_t carry_bytes = rows.count * sizeof(std::uint64_t);
    if (!part.is_all()) list.scratch_bytes = carry_bytes;
    DispatchMaker maker(reduction.of(type), {code(type), reduction_number(spec.op)});
    maker.input(spec, 0)
        .output(spec)
        .carry(part, carry_bytes)
        .word(rows.count)
        .word(rows.elements)
        .word(part.first)
        .word(part.end)
        .word(kept.rank())
        .word(reduced.rank())
        .shape(kept)
        .strides(kept_strides)
        .shape(reduced)
        .strides(reduced_strides)
        .turns(rows.turns(part, turns));
    list.dispatches.push_back(rows.over(maker));
  }
  return list;
}

Dispatches dispatch_arg_reduction(const KernelSpec& spec) {
  const std::uint32_t result = code(spec.outputs[0].type);
  return along_axis(spec, arg_reduction, sizeof(std::uint32_t), [&](const OperatorCall&) {
    return std::pair{result, std::uint32_t(spec.op == "argMax"_op)};
  });
}

Dispatches dispatch_cumulative_sum(const KernelSpec& spec) {
  return along_axis(spec, cumulative_sum, sizeof(std::uint64_t), [](const OperatorCall& call) {
    return std::pair{std::uint32_t(call.boolean("exclusive")), std::uint32_t(call.boolean("reversed"))};
  });
}

Dispatches dispatch_softmax(const KernelSpec& spec) {
  const SpecCall call(spec);
  const AxisView view = view_along(call.shape(0), call.u32("axis"));
  const Rows rows{view.outer * view.inner, view.size};
  enum class Pass : std::uint32_t { all, gather, write };
  Dispatches list;
  const auto add = [&](Pass pass, const LoopPart& part, std::uint64_t loops) {
    const std::uint64_t carry_bytes = pass == Pass::all ? 0 : rows.count * sizeof(std::uint64_t);
    list.scratch_bytes = carry_bytes;
    DispatchMaker maker(shaders::softmax(), {code(call.operand(0).type), std::uint32_t(pass)});
    maker.input(spec, 0).output(spec);
    if (pass == Pass::all)
      maker.absent();
    else
      maker.scratch(0, carry_bytes, pass == Pass::write || !part.is_first, pass == Pass::gather);
    maker.word(rows.count).word(view.size).word(view.inner).word(part.first).word(part.end);
    list.dispatches.push_back(rows.over(maker.turns(rows.turns(part, loops))));
  };
  const CountedVector<LoopPart> parts = rows.parts(3);
  if (parts.size() == 1) {
    add(Pass::all, parts[0], 3);
    return list;
  }
  for (const LoopPart& part : parts) add(Pass::gather, part, 2);
  for (const LoopPart& part : parts) add(Pass::write, part, 1);
  return list;
}

constexpr GpuKernel reduction_list[] = {
    {.row = {.name = "reduction", .family = Family::reduction}, .dispatches = dispatch_reduction},
    {.row = {.name = "argReduction", .family = Family::arg_reduction}, .dispatches = dispatch_arg_reduction},
    {.row = {.name = "cumulativeSum", .op = "cumulativeSum"}, .dispatches = dispatch_cumulative_sum},
    {.row = {.name = "softmax", .op = "softmax", .in_place = 0b01}, .dispatches = dispatch_softmax},
};
extern constexpr GpuKernels reduction_kernels(reduction_list);

}  // namespace webnn::runtime::vulkan
