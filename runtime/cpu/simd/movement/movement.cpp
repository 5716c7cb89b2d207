// Operators that are strided copies: shapes, layouts and attributes determine the strides when a kernel is prepared;
// StridedCopy does the rest.
#include <cstring>

#include "runtime/cpu/simd/movement/strided_copy.hpp"
#include "runtime/cpu_kernel.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {
namespace {

/// The kernel of one copy from operand 0 to output 0.
Kernel kernel_of(StridedCopy copy) {
  return {[copy = std::move(copy)](const KernelArguments& arguments) {
    parallel_bytes(copy.bytes(), [&](std::size_t begin, std::size_t end, std::size_t parts) {
      copy.run(arguments.inputs[0], arguments.outputs[0], begin, end, parts);
    });
  }};
}

/// A copy that fills the output in the order of its axes.
Kernel fill_output(const KernelSpec& spec, const Strides& source, std::int64_t start = 0) {
  const OperandDescriptor& result = spec.outputs[0];
  return kernel_of(StridedCopy(result.shape, source, layout_strides(result.shape, spec.output_layout(0)),
                               element_bytes(result.type), start));
}

Strides input_strides(const KernelSpec& spec, std::size_t i = 0) {
  return layout_strides(spec.inputs[i]->shape, spec.input_layout(i));
}

bool is_row_major(const Shape& shape, Layout layout) { return layout == Layout::row_major || layouts_coincide(shape); }

/// The same elements in row-major order, from or to another layout.
StridedCopy to_row_major(const OperandDescriptor& tensor, Layout layout) {
  return {tensor.shape, layout_strides(tensor.shape, layout), row_major_strides(tensor.shape),
          element_bytes(tensor.type)};
}
StridedCopy from_row_major(const OperandDescriptor& tensor, Layout layout) {
  return {tensor.shape, row_major_strides(tensor.shape), layout_strides(tensor.shape, layout),
          element_bytes(tensor.type)};
}

Kernel copy_bytes(std::size_t bytes) {
  return {[bytes](const KernelArguments& arguments) {
    if (arguments.outputs[0] == arguments.inputs[0]) return;
    parallel_bytes(bytes, [&](std::size_t begin, std::size_t end, std::size_t parts) {
      const std::size_t first = bytes * begin / parts, last = bytes * end / parts;
      std::memcpy(arguments.outputs[0] + first, arguments.inputs[0] + first, last - first);
    });
  }};
}

}  // namespace

/// Keeps the row-major order of elements, whatever the layouts and shapes of both sides.
Kernel prepare_copy(const KernelSpec& spec, Constants) {
  const OperandDescriptor& from = *spec.inputs[0];
  const OperandDescriptor& to = spec.outputs[0];
  const bool from_row_major_order = is_row_major(from.shape, spec.input_layout(0));
  const bool to_row_major_order = is_row_major(to.shape, spec.output_layout(0));
  if (from_row_major_order && to_row_major_order) return copy_bytes(byte_length(to));
  if (from.shape == to.shape && from_row_major_order == to_row_major_order) return copy_bytes(byte_length(to));
  if (to_row_major_order) return kernel_of(to_row_major(from, spec.input_layout(0)));
  if (from_row_major_order) return kernel_of(simd::from_row_major(to, spec.output_layout(0)));
  return {[first = to_row_major(from, spec.input_layout(0)),
           second = simd::from_row_major(to, spec.output_layout(0))](const KernelArguments& arguments) {
            run_copies(
                std::span(&first, 1), [&](std::size_t) { return arguments.inputs[0]; },
                [&](std::size_t) { return arguments.scratch; });
            run_copies(
                std::span(&second, 1), [&](std::size_t) { return arguments.scratch; },
                [&](std::size_t) { return arguments.outputs[0]; });
          },
          byte_length(to)};
}

Kernel prepare_reorder(const KernelSpec& spec, Constants) { return fill_output(spec, input_strides(spec)); }

Kernel prepare_transpose(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const Strides strides = input_strides(spec);
  const auto permutation = call.u32_list("permutation");
  Strides source{};
  for (std::size_t i = 0; i < permutation.size(); ++i) source[i] = strides[permutation[i]];
  return fill_output(spec, source);
}

Kernel prepare_concat(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const std::uint32_t axis = call.u32("axis");
  const OperandDescriptor& result = spec.outputs[0];
  const Layout layout = common_layout(spec);
  const Strides target = layout_strides(result.shape, layout);
  std::vector<StridedCopy> copies;
  std::int64_t position = 0;
  for (const OperandDescriptor* operand : call.operands()) {
    copies.emplace_back(operand->shape, layout_strides(operand->shape, layout), target, element_bytes(result.type), 0,
                        position * target[axis]);
    position += operand->shape[axis];
  }
  return {[copies = std::move(copies)](const KernelArguments& arguments) {
    run_copies(
        std::span(copies), [&](std::size_t i) { return arguments.inputs[i]; },
        [&](std::size_t) { return arguments.outputs[0]; });
  }};
}

Kernel prepare_split(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const std::uint32_t axis = call.u32("axis");
  const Layout layout = common_layout(spec);
  const Strides source = layout_strides(call.shape(0), layout);
  std::vector<StridedCopy> copies;
  std::int64_t position = 0;
  for (const OperandDescriptor& part : spec.outputs) {
    copies.emplace_back(part.shape, source, layout_strides(part.shape, layout), element_bytes(part.type),
                        position * source[axis], 0);
    position += part.shape[axis];
  }
  return {[copies = std::move(copies)](const KernelArguments& arguments) {
    run_copies(
        std::span(copies), [&](std::size_t) { return arguments.inputs[0]; },
        [&](std::size_t i) { return arguments.outputs[i]; });
  }};
}

Kernel prepare_slice(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const auto starts = call.u32_list("starts");
  const auto steps = call.u32_list("strides");
  Strides source = input_strides(spec);
  std::int64_t start = 0;
  for (unsigned axis = 0; axis < starts.size(); ++axis) {
    start += source[axis] * starts[axis];
    source[axis] *= spec.outputs[0].shape[axis] > 1 ? steps[axis] : 0;  // a stride that is not taken may have any value
  }
  return fill_output(spec, source, start);
}

Kernel prepare_expand(const KernelSpec& spec, Constants) {
  return fill_output(spec, broadcast_strides(spec.inputs[0]->shape, input_strides(spec), spec.outputs[0].shape));
}

/// Each axis becomes two loops: over the repetitions, with a source stride of 0, and over the operand's own size.
Kernel prepare_tile(const KernelSpec& spec, Constants) {
  const Shape& shape = spec.inputs[0]->shape;
  const OperandDescriptor& result = spec.outputs[0];
  const auto bytes = std::int64_t(element_bytes(result.type));
  const Strides source = input_strides(spec);
  const Strides target = layout_strides(result.shape, spec.output_layout(0));
  std::vector<CopyAxis> axes;
  for (unsigned axis = 0; axis < shape.rank(); ++axis) {
    const std::int64_t size = shape[axis];
    axes.push_back({result.shape[axis] / size, 0, size * target[axis] * bytes});
    axes.push_back({size, source[axis] * bytes, target[axis] * bytes});
  }
  return kernel_of(StridedCopy(std::move(axes), std::size_t(bytes), 0, 0));
}

Kernel prepare_reverse(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const Shape& shape = call.shape(0);
  Strides source = input_strides(spec);
  std::int64_t start = 0;
  for (const std::uint32_t axis : call.u32_list("axes")) {
    start += source[axis] * (std::int64_t(shape[axis]) - 1);
    source[axis] = -source[axis];
  }
  return fill_output(spec, source, start);
}

constexpr CpuKernel movement_list[] = {
    {.row =
         {.name = "copy", .family = Family::view, .types = whole_bytes, .in_place = 0b01, .layouts = LayoutRule::any},
     .prepare = prepare_copy},
    {.row = {.name = "reorder", .op = "@reorder", .types = whole_bytes, .layouts = LayoutRule::any},
     .prepare = prepare_reorder},
    {.row = {.name = "transpose", .op = "transpose", .types = whole_bytes, .layouts = LayoutRule::any},
     .prepare = prepare_transpose},
    {.row = {.name = "concat", .op = "concat", .types = whole_bytes, .layouts = LayoutRule::uniform},
     .prepare = prepare_concat},
    {.row = {.name = "split", .op = "split", .types = whole_bytes, .layouts = LayoutRule::uniform},
     .prepare = prepare_split},
    {.row = {.name = "slice", .op = "slice", .types = whole_bytes, .layouts = LayoutRule::uniform},
     .prepare = prepare_slice},
    {.row = {.name = "expand", .op = "expand", .types = whole_bytes, .layouts = LayoutRule::uniform},
     .prepare = prepare_expand},
    {.row = {.name = "tile", .op = "tile", .types = whole_bytes, .layouts = LayoutRule::uniform},
     .prepare = prepare_tile},
    {.row = {.name = "reverse", .op = "reverse", .types = whole_bytes, .layouts = LayoutRule::uniform},
     .prepare = prepare_reverse},
};
extern constexpr CpuKernels movement_kernels(movement_list);

}  // namespace webnn::runtime::simd
