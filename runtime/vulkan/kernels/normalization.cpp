// Normalizations. Rows are folded as in reduction.cpp.
#include <algorithm>

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

/// The tensor as rows: a walk over the outer axes, and at each of their positions a walk over the inner ones.
struct Nest {
  Shape outer, inner;
  Strides outer_strides{}, inner_strides{};

  Nest(const Shape& shape, const std::vector<std::uint32_t>& inner_axes) {
    const Strides own = row_major_strides(shape);
    for (const std::uint32_t axis : inner_axes) {
      inner_strides[inner.rank()] = own[axis];
      inner.push_back(shape[axis]);
    }
    for (std::uint32_t axis = 0; axis < shape.rank(); ++axis) {
      if (std::ranges::find(inner_axes, axis) != inner_axes.end()) continue;
      outer_strides[outer.rank()] = own[axis];
      outer.push_back(shape[axis]);
    }
  }
};

Dispatches dispatch_rows(const KernelSpec& spec, const OperatorCall& call, const Nest& nest, bool scale_per_row) {
  const DataType type = call.operand(0).type;
  const Rows rows{element_count(nest.outer), element_count(nest.inner)};
  const std::uint64_t turns = 1 + nest.inner.rank();  // iterations for each element
  enum class Pass : std::uint32_t { all, gather_sum, gather_squares, write };
  const bool centred = call.id() != "@rmsNormalization"_op;
  const Pass first_pass = centred ? Pass::gather_sum : Pass::gather_squares;
  Dispatches list;
  const auto add = [&](Pass pass, const LoopPart& part, std::uint64_t loops) {
    const std::uint64_t carry_bytes = pass == Pass::all ? 0 : rows.count * 3 * sizeof(float);
    list.scratch_bytes = carry_bytes;
    DispatchMaker maker(shaders::normalization(), {code(type), call.has_operand(1), call.has_operand(2), scale_per_row,
                                                   std::uint32_t(pass), centred});
    maker.input(spec, 0).input(spec, 1).input(spec, 2).output(spec);
    if (pass == Pass::all)
      maker.absent();
    else
      maker.scratch(0, carry_bytes, pass != first_pass || !part.is_first, pass != Pass::write);
    maker.word(rows.count)
        .word(rows.elements)
        .word(part.first)
        .word(part.end)
        .word(nest.outer.rank())
        .word(nest.inner.rank())
        .shape(nest.outer)
        .strides(nest.outer_strides)
        .shape(nest.inner)
        .strides(nest.inner_strides)
        .word(scale_per_row ? nest.outer[1] : 1)
        .real(parameter(call, "epsilon"))
        .turns(rows.turns(part, turns * loops));
    list.dispatches.push_back(rows.over(maker));
  };
  const CountedVector<LoopPart> parts = rows.parts(3 * turns);
  if (parts.size() == 1) {
    add(Pass::all, parts[0], 3);
    return list;
  }
  for (Pass pass = first_pass; pass <= Pass::write; pass = Pass(std::uint32_t(pass) + 1))
    for (const LoopPart& part : parts) add(pass, part, 1);
  return list;
}

}  // namespace

Dispatches dispatch_batch_normalization(const KernelSpec& spec) {
  const SpecCall call(spec);
  const AxisView view = view_along(call.shape(0), call.u32("axis"));
  const std::size_t count = element_count(call.shape(0));
  DispatchMaker maker(shaders::batch_normalization(),
                      {code(call.operand(0).type), call.has_operand(3), call.has_operand(4)},
                      DispatchMaker::large_group);
  for (std::size_t i = 0; i < 5; ++i) maker.input(spec, i);
  return maker.output(spec)
      .word(count)
      .word(view.size)
      .word(view.inner)
      .real(parameter(call, "epsilon"))
      .over_units(count);
}

Dispatches dispatch_instance_normalization(const KernelSpec& spec) {
  const SpecCall call(spec);
  return dispatch_rows(spec, call, Nest(call.shape(0), {2, 3}), true);
}

Dispatches dispatch_layer_normalization(const KernelSpec& spec) {
  const SpecCall call(spec);
  return dispatch_rows(spec, call, Nest(call.shape(0), call.u32_list("axes")), false);
}

constexpr GpuKernel normalization_list[] = {
    {.row = {.name = "batchNormalization", .op = "batchNormalization", .in_place = 0b01},
     .dispatches = dispatch_batch_normalization},
    {.row = {.name = "instanceNormalization", .op = "instanceNormalization", .in_place = 0b01, .can = is_nchw},
     .dispatches = dispatch_instance_normalization},
    {.row = {.name = "layerNormalization", .op = "layerNormalization", .in_place = 0b01},
     .dispatches = dispatch_layer_normalization},
    {.row = {.name = "rmsNormalization", .op = "@rmsNormalization", .in_place = 0b01},
     .dispatches = dispatch_layer_normalization},
};
extern constexpr GpuKernels normalization_kernels(normalization_list);

}  // namespace webnn::runtime::vulkan
