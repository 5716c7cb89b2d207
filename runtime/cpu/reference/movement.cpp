// Operators that move elements unchanged. Most are a walk with other strides: a StridedCopy.
#include <cstring>

#include "runtime/cpu/reference/reference.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

/// For each index of `shape`: target[target_start + index * target_strides] = source[source_start + index *
/// source_strides].
struct StridedCopy {
  Shape shape;
  std::array<Strides, 2> strides;  // source, target
  std::int64_t source_start = 0;
  std::int64_t target_start = 0;

  template <typename T>
  void run(const T* source, T* target) const {
    source += source_start;
    target += target_start;
    for_each_offset(shape, strides, [&](const auto& at) { target[at[1]] = source[at[0]]; });
  }
};

/// The kernel of a copy that fills its whole output in row-major order.
Kernel prepare_gathering_copy(DataType type, const Shape& output_shape, const Strides& source, std::int64_t start = 0) {
  const StridedCopy copy{output_shape, {source, row_major_strides(output_shape)}, start, 0};
  return dispatch_size(type, [&]<typename T>() {
    return make_kernel(
        [copy](const KernelArguments& arguments) { copy.run(input<T>(arguments, 0), output<T>(arguments)); });
  });
}

}  // namespace

Kernel prepare_copy(const KernelSpec& spec, Constants) {
  const std::size_t bytes = byte_length(spec.outputs[0]);
  return make_kernel([bytes](const KernelArguments& arguments) {
    if (arguments.outputs[0] != arguments.inputs[0]) std::memcpy(arguments.outputs[0], arguments.inputs[0], bytes);
  });
}

Kernel prepare_concat(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const std::uint32_t axis = call.u32("axis");
  const Strides target = row_major_strides(spec.outputs[0].shape);
  std::vector<StridedCopy> copies;
  std::int64_t position = 0;
  for (const OperandDescriptor* operand : call.operands()) {
    const Shape& shape = operand->shape;
    copies.push_back({shape, {row_major_strides(shape), target}, 0, position * target[axis]});
    position += shape[axis];
  }
  return dispatch_size(spec.outputs[0].type, [&]<typename T>() {
    return make_kernel([copies](const KernelArguments& arguments) {
      for (std::size_t i = 0; i < copies.size(); ++i) copies[i].run(input<T>(arguments, i), output<T>(arguments));
    });
  });
}

Kernel prepare_split(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const std::uint32_t axis = call.u32("axis");
  const Strides source = row_major_strides(call.shape(0));
  std::vector<StridedCopy> copies;
  std::int64_t position = 0;
  for (const OperandDescriptor& part : spec.outputs) {
    copies.push_back({part.shape, {source, row_major_strides(part.shape)}, position * source[axis], 0});
    position += part.shape[axis];
  }
  return dispatch_size(call.operand(0).type, [&]<typename T>() {
    return make_kernel([copies](const KernelArguments& arguments) {
      for (std::size_t i = 0; i < copies.size(); ++i) copies[i].run(input<T>(arguments, 0), output<T>(arguments, i));
    });
  });
}

Kernel prepare_expand(const KernelSpec& spec, Constants) {
  const OperandDescriptor& result = spec.outputs[0];
  return prepare_gathering_copy(result.type, result.shape, broadcast_strides(spec.inputs[0]->shape, result.shape));
}

Kernel prepare_transpose(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const OperandDescriptor& result = spec.outputs[0];
  return prepare_gathering_copy(result.type, result.shape,
                                pick(row_major_strides(call.shape(0)), call.u32_list("permutation")));
}

Kernel prepare_reorder(const KernelSpec& spec, Constants) {
  const OperandDescriptor& result = spec.outputs[0];
  const StridedCopy copy{
      result.shape,
      {layout_strides(result.shape, spec.input_layout(0)), layout_strides(result.shape, spec.output_layout(0))}};
  return dispatch_size(result.type, [&]<typename T>() {
    return make_kernel(
        [copy](const KernelArguments& arguments) { copy.run(input<T>(arguments, 0), output<T>(arguments)); });
  });
}

Kernel prepare_reverse(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const OperandDescriptor& result = spec.outputs[0];
  Strides source = row_major_strides(result.shape);
  std::int64_t start = 0;
  for (const std::uint32_t axis : call.u32_list("axes")) {
    start += source[axis] * (std::int64_t(result.shape[axis]) - 1);
    source[axis] = -source[axis];
  }
  return prepare_gathering_copy(result.type, result.shape, source, start);
}

Kernel prepare_slice(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const auto starts = call.u32_list("starts");
  const auto steps = call.u32_list("strides");
  const OperandDescriptor& result = spec.outputs[0];
  Strides source = row_major_strides(call.shape(0));
  std::int64_t start = 0;
  for (unsigned axis = 0; axis < result.shape.rank(); ++axis) {
    start += source[axis] * starts[axis];
    source[axis] *= result.shape[axis] > 1 ? steps[axis] : 0;  // a stride that is not taken may have any value
  }
  return prepare_gathering_copy(result.type, result.shape, source, start);
}

Kernel prepare_tile(const KernelSpec& spec, Constants) {
  const OperandDescriptor result = spec.outputs[0];
  const Shape tile = spec.inputs[0]->shape;
  const Strides strides = row_major_strides(tile);
  return dispatch_size(result.type, [&]<typename T>() {
    return make_kernel([=](const KernelArguments& arguments) {
      const T* x = input<T>(arguments, 0);
      T* y = output<T>(arguments);
      for_each_index(result.shape, [&](const Index& index, std::size_t number) {
        std::int64_t source = 0;
        for (unsigned axis = 0; axis < tile.rank(); ++axis) source += index[axis] % tile[axis] * strides[axis];
        y[number] = x[source];
      });
    });
  });
}

/// Keeps the elements on and above (or below) a diagonal of the last two axes and sets the others to zero.
Kernel prepare_triangular(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const bool upper = call.boolean("upper");
  const std::int64_t diagonal = call.i32("diagonal");
  const Shape shape = call.shape(0);
  return dispatch_size(call.operand(0).type, [&]<typename T>() {
    return make_kernel([=](const KernelArguments& arguments) {
      const T* x = input<T>(arguments, 0);
      T* y = output<T>(arguments);
      for_each_index(shape, [&](const Index& index, std::size_t number) {
        const std::int64_t distance = index[shape.rank() - 1] - index[shape.rank() - 2];
        const bool keep = upper ? distance >= diagonal : distance <= diagonal;
        y[number] = keep ? x[number] : T{0};
      });
    });
  });
}

constexpr CpuKernel movement_list[] = {
    {.row = {.name = "copy", .family = Family::view, .in_place = 0b01}, .prepare = prepare_copy},
    {.row = {.name = "concat", .op = "concat"}, .prepare = prepare_concat},
    {.row = {.name = "expand", .op = "expand"}, .prepare = prepare_expand},
    {.row = {.name = "reverse", .op = "reverse"}, .prepare = prepare_reverse},
    {.row = {.name = "slice", .op = "slice"}, .prepare = prepare_slice},
    {.row = {.name = "reorder", .op = "@reorder", .layouts = LayoutRule::any}, .prepare = prepare_reorder},
    {.row = {.name = "split", .op = "split"}, .prepare = prepare_split},
    {.row = {.name = "tile", .op = "tile"}, .prepare = prepare_tile},
    {.row = {.name = "transpose", .op = "transpose"}, .prepare = prepare_transpose},
    {.row = {.name = "triangular", .op = "triangular", .in_place = 0b01}, .prepare = prepare_triangular},
};
extern constexpr CpuKernels movement_kernels(movement_list);

}  // namespace webnn::runtime::reference
