// Movement by indices: gather, gatherElements, gatherND, scatterElements, scatterND.
//
// A negative index counts from the end. An index that is still out of range is clamped to the nearest edge, so that
// nothing is read or written outside of the tensor. Scatters apply updates in row-major order: the last one wins.
#include <algorithm>
#include <cstring>

#include "runtime/cpu/reference/reference.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

std::int64_t resolve(std::int64_t index, std::int64_t size) {
  return std::clamp<std::int64_t>(index < 0 ? index + size : index, 0, size - 1);
}

std::size_t element_bytes(const OperandDescriptor& descriptor) { return bits_of(descriptor.type) / 8; }

/// The output of a scatter starts as its input; in place it already is.
void copy_input(const KernelArguments& arguments, std::size_t bytes) {
  if (arguments.outputs[0] != arguments.inputs[0]) std::memcpy(arguments.outputs[0], arguments.inputs[0], bytes);
}

/// Walks the elements that gatherElements and scatterElements address: index n of the indices' shape stands for the
/// tensor element at the same position, but at indices[n] along `axis`.
struct ElementWalk {
  Shape shape;                    // of the indices
  std::array<Strides, 1> others;  // of the tensor, 0 along the axis; in elements
  std::int64_t axis_size;
  std::int64_t axis_stride;

  ElementWalk(const OperatorCall& call)
      : shape(call.shape(1)), others{row_major_strides(call.shape(0))}, axis_size(call.shape(0)[call.u32("axis")]) {
    const std::uint32_t axis = call.u32("axis");
    axis_stride = others[0][axis];
    others[0][axis] = 0;
  }

  /// Calls visit(offset in the tensor, n).
  template <typename I, typename Visit>
  void run(const I* indices, Visit&& visit) const {
    std::size_t n = 0;
    for_each_offset(shape, others, [&](const auto& at) {
      visit(at[0] + resolve(std::int64_t(indices[n]), axis_size) * axis_stride, n);
      ++n;
    });
  }
};

/// Walks the slices that gatherND and scatterND address: each row of the indices' last axis is the position of a slice
/// along the tensor's first axes.
struct SliceWalk {
  std::size_t count;  // number of slices
  unsigned depth;     // number of axes that an index row fixes
  Shape shape;        // of the tensor
  std::size_t slice_bytes;
  Strides strides;  // of the first axes, in slices

  SliceWalk(const OperatorCall& call) : shape(call.shape(0)) {
    const Shape& indices = call.shape(1);
    depth = indices[indices.rank() - 1];
    count = element_count(indices) / depth;
    slice_bytes = element_bytes(call.operand(0));
    for (unsigned axis = depth; axis < shape.rank(); ++axis) slice_bytes *= shape[axis];
    strides = row_major_strides(Shape(shape.sizes().first(depth)));
  }

  /// Calls visit(byte offset of the slice in the tensor, byte offset of row n in the packed slices).
  template <typename I, typename Visit>
  void run(const I* indices, Visit&& visit) const {
    for (std::size_t n = 0; n < count; ++n) {
      std::int64_t slice = 0;
      for (unsigned axis = 0; axis < depth; ++axis)
        slice += resolve(std::int64_t(indices[n * depth + axis]), shape[axis]) * strides[axis];
      visit(std::size_t(slice) * slice_bytes, n * slice_bytes);
    }
  }
};

}  // namespace

Kernel prepare_gather(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const AxisView view = view_along(call.shape(0), call.u32("axis"));
  const std::size_t count = element_count(call.shape(1));
  const std::size_t row_bytes = view.inner * element_bytes(call.operand(0));
  return dispatch(IndexTypes{}, call.operand(1).type, [&]<typename I>() {
    return make_kernel([=](const KernelArguments& arguments) {
      const std::byte* x = arguments.inputs[0];
      const I* indices = input<I>(arguments, 1);
      std::byte* y = arguments.outputs[0];
      for (std::size_t outer = 0; outer < view.outer; ++outer, x += view.size * row_bytes) {
        for (std::size_t n = 0; n < count; ++n, y += row_bytes) {
          const std::int64_t row = resolve(std::int64_t(indices[n]), std::int64_t(view.size));
          std::memcpy(y, x + std::size_t(row) * row_bytes, row_bytes);
        }
      }
    });
  });
}

Kernel prepare_gather_elements(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const ElementWalk walk(call);
  return dispatch(IndexTypes{}, call.operand(1).type, [&]<typename I>() {
    return dispatch_size(call.operand(0).type, [&]<typename T>() {
      return make_kernel([walk](const KernelArguments& arguments) {
        const T* x = input<T>(arguments, 0);
        T* y = output<T>(arguments);
        walk.run(input<I>(arguments, 1), [&](std::int64_t offset, std::size_t n) { y[n] = x[offset]; });
      });
    });
  });
}

Kernel prepare_gather_nd(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const SliceWalk walk(call);
  return dispatch(IndexTypes{}, call.operand(1).type, [&]<typename I>() {
    return make_kernel([walk](const KernelArguments& arguments) {
      walk.run(input<I>(arguments, 1), [&](std::size_t in_tensor, std::size_t in_slices) {
        std::memcpy(arguments.outputs[0] + in_slices, arguments.inputs[0] + in_tensor, walk.slice_bytes);
      });
    });
  });
}

Kernel prepare_scatter_elements(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const ElementWalk walk(call);
  const std::size_t bytes = byte_length(call.operand(0));
  return dispatch(IndexTypes{}, call.operand(1).type, [&]<typename I>() {
    return dispatch_size(call.operand(0).type, [&]<typename T>() {
      return make_kernel([walk, bytes](const KernelArguments& arguments) {
        copy_input(arguments, bytes);
        const T* updates = input<T>(arguments, 2);
        T* y = output<T>(arguments);
        walk.run(input<I>(arguments, 1), [&](std::int64_t offset, std::size_t n) { y[offset] = updates[n]; });
      });
    });
  });
}

Kernel prepare_scatter_nd(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const SliceWalk walk(call);
  const std::size_t bytes = byte_length(call.operand(0));
  return dispatch(IndexTypes{}, call.operand(1).type, [&]<typename I>() {
    return make_kernel([walk, bytes](const KernelArguments& arguments) {
      copy_input(arguments, bytes);
      walk.run(input<I>(arguments, 1), [&](std::size_t in_tensor, std::size_t in_slices) {
        std::memcpy(arguments.outputs[0] + in_tensor, arguments.inputs[2] + in_slices, walk.slice_bytes);
      });
    });
  });
}

constexpr CpuKernel indexed_list[] = {
    {.row = {.name = "gather", .op = "gather"}, .prepare = prepare_gather},
    {.row = {.name = "gatherElements", .op = "gatherElements"}, .prepare = prepare_gather_elements},
    {.row = {.name = "gatherND", .op = "gatherND"}, .prepare = prepare_gather_nd},
    {.row = {.name = "scatterElements", .op = "scatterElements", .in_place = 0b01},
     .prepare = prepare_scatter_elements},
    {.row = {.name = "scatterND", .op = "scatterND", .in_place = 0b01}, .prepare = prepare_scatter_nd},
};
extern constexpr CpuKernels indexed_kernels(indexed_list);

}  // namespace webnn::runtime::reference
