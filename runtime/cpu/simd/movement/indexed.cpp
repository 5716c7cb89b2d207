// Movement by indices: gather, gatherElements, gatherND, scatterElements, scatterND.
//
// A negative index counts from the end. An index that is still out of range is clamped to the nearest edge, so that
// nothing is read or written outside of the tensor. Scatters apply updates in row-major order, in one thread: the last
// one wins.
#include <algorithm>
#include <cstring>

#include "runtime/cpu/simd/movement/strided_copy.hpp"
#include "runtime/cpu_kernel.hpp"
#include "schema/error.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {
namespace {

std::int64_t resolve(std::int64_t index, std::int64_t size) {
  return std::clamp<std::int64_t>(index < 0 ? index + size : index, 0, size - 1);
}

/// Calls `visit(I{})` with the type of the indices.
template <typename Visit>
Kernel for_index_type(DataType type, Visit&& visit) {
  if (type == DataType::int32) return visit(std::int32_t{});
  if (type == DataType::uint32) return visit(std::uint32_t{});
  if (type == DataType::int64) return visit(std::int64_t{});
  throw Error(ExitCode::unsupported, "indices cannot be " + std::string(name_of(type)));
}

/// Calls `visit(T{})` with an unsigned type of the element's size.
template <typename Visit>
Kernel for_element_type(DataType type, Visit&& visit) {
  switch (element_bytes(type)) {
    case 1:
      return visit(std::uint8_t{});
    case 2:
      return visit(std::uint16_t{});
    case 4:
      return visit(std::uint32_t{});
    default:
      return visit(std::uint64_t{});
  }
}

template <typename T>
const T* input(const KernelArguments& arguments, std::size_t i) {
  return reinterpret_cast<const T*>(arguments.inputs[i]);
}

/// The output of a scatter starts as its input; in place it already is.
void copy_input(const KernelArguments& arguments, std::size_t bytes) {
  if (arguments.outputs[0] == arguments.inputs[0]) return;
  parallel_bytes(bytes, [&](std::size_t begin, std::size_t end, std::size_t parts) {
    const std::size_t first = bytes * begin / parts, last = bytes * end / parts;
    std::memcpy(arguments.outputs[0] + first, arguments.inputs[0] + first, last - first);
  });
}

/// The elements that gatherElements and scatterElements address: place n of the indices stands for the tensor element
/// at the same position, but at indices[n] along the axis. Walked in rows along the last axis.
class ElementWalk {
 public:
  explicit ElementWalk(const OperatorCall& call)
      : shape_(call.shape(1)),
        strides_(row_major_strides(call.shape(0))),
        axis_size_(call.shape(0)[call.u32("axis")]),
        axis_stride_(strides_[call.u32("axis")]) {
    strides_[call.u32("axis")] = 0;
  }

  std::size_t row_length() const { return shape_[shape_.rank() - 1]; }
  std::size_t rows() const { return element_count(shape_) / row_length(); }

  /// Calls visit(offset in the tensor, n) for the elements of rows [begin, end).
  template <typename I, typename Visit>
  void run(const I* indices, std::size_t begin, std::size_t end, Visit&& visit) const {
    const unsigned last = shape_.rank() - 1;
    for (std::size_t row = begin; row < end; ++row) {
      std::int64_t offset = 0;
      std::size_t rest = row;
      for (unsigned axis = last; axis-- > 0; rest /= shape_[axis])
        offset += std::int64_t(rest % shape_[axis]) * strides_[axis];
      std::size_t n = row * row_length();
      for (std::size_t i = 0; i < row_length(); ++i, ++n, offset += strides_[last])
        visit(offset + resolve(std::int64_t(indices[n]), axis_size_) * axis_stride_, n);
    }
  }

 private:
  Shape shape_;      // of the indices
  Strides strides_;  // of the tensor, 0 along the axis; in elements
  std::int64_t axis_size_, axis_stride_;
};

/// The slices that gatherND and scatterND address: each row of the indices' last axis is the position of a slice along
/// the tensor's first axes.
struct SliceWalk {
  std::size_t count;  // number of slices
  unsigned depth;     // number of axes that an index row fixes
  Shape shape;        // of the tensor
  std::size_t slice_bytes;
  Strides strides;  // of the first axes, in slices

  explicit SliceWalk(const OperatorCall& call) : shape(call.shape(0)) {
    const Shape& indices = call.shape(1);
    depth = indices[indices.rank() - 1];
    count = element_count(indices) / depth;
    slice_bytes = element_bytes(call.operand(0).type);
    for (unsigned axis = depth; axis < shape.rank(); ++axis) slice_bytes *= shape[axis];
    strides = row_major_strides(Shape(shape.sizes().first(depth)));
  }

  /// The byte offset of slice n in the tensor.
  template <typename I>
  std::size_t offset(const I* indices, std::size_t n) const {
    std::int64_t slice = 0;
    for (unsigned axis = 0; axis < depth; ++axis)
      slice += resolve(std::int64_t(indices[n * depth + axis]), shape[axis]) * strides[axis];
    return std::size_t(slice) * slice_bytes;
  }
};

/// The number of units of `bytes` that are worth a thread.
std::size_t grain_of(std::size_t bytes) { return 1 + 50'000 / bytes; }

}  // namespace

Kernel prepare_gather(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const AxisView view = view_along(call.shape(0), call.u32("axis"));
  const std::size_t count = element_count(call.shape(1));
  const std::size_t bytes = view.inner * element_bytes(call.operand(0).type);
  return for_index_type(call.operand(1).type, [&]<typename I>(I) -> Kernel {
    return {[=](const KernelArguments& arguments) {
      const I* indices = input<I>(arguments, 1);
      parallel_for(view.outer * count, grain_of(bytes), [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
          const std::int64_t place = resolve(std::int64_t(indices[row % count]), std::int64_t(view.size));
          std::memcpy(arguments.outputs[0] + row * bytes,
                      arguments.inputs[0] + (row / count * view.size + std::size_t(place)) * bytes, bytes);
        }
      });
    }};
  });
}

Kernel prepare_gather_elements(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const ElementWalk walk(call);
  return for_index_type(call.operand(1).type, [&]<typename I>(I) {
    return for_element_type(call.operand(0).type, [&]<typename T>(T) -> Kernel {
      return {[walk](const KernelArguments& arguments) {
        const T* x = input<T>(arguments, 0);
        T* y = reinterpret_cast<T*>(arguments.outputs[0]);
        parallel_for(walk.rows(), grain_of(4 * walk.row_length()), [&](std::size_t begin, std::size_t end) {
          walk.run(input<I>(arguments, 1), begin, end, [&](std::int64_t offset, std::size_t n) { y[n] = x[offset]; });
        });
      }};
    });
  });
}

Kernel prepare_gather_nd(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const SliceWalk walk(call);
  return for_index_type(call.operand(1).type, [&]<typename I>(I) -> Kernel {
    return {[walk](const KernelArguments& arguments) {
      const I* indices = input<I>(arguments, 1);
      parallel_for(walk.count, grain_of(walk.slice_bytes), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n)
          std::memcpy(arguments.outputs[0] + n * walk.slice_bytes, arguments.inputs[0] + walk.offset(indices, n),
                      walk.slice_bytes);
      });
    }};
  });
}

Kernel prepare_scatter_elements(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const ElementWalk walk(call);
  const std::size_t bytes = byte_length(call.operand(0));
  return for_index_type(call.operand(1).type, [&]<typename I>(I) {
    return for_element_type(call.operand(0).type, [&]<typename T>(T) -> Kernel {
      return {[walk, bytes](const KernelArguments& arguments) {
        copy_input(arguments, bytes);
        const T* updates = input<T>(arguments, 2);
        T* y = reinterpret_cast<T*>(arguments.outputs[0]);
        walk.run(input<I>(arguments, 1), 0, walk.rows(),
                 [&](std::int64_t offset, std::size_t n) { y[offset] = updates[n]; });
      }};
    });
  });
}

Kernel prepare_scatter_nd(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const SliceWalk walk(call);
  const std::size_t bytes = byte_length(call.operand(0));
  return for_index_type(call.operand(1).type, [&]<typename I>(I) -> Kernel {
    return {[walk, bytes](const KernelArguments& arguments) {
      copy_input(arguments, bytes);
      const I* indices = input<I>(arguments, 1);
      for (std::size_t n = 0; n < walk.count; ++n)
        std::memcpy(arguments.outputs[0] + walk.offset(indices, n), arguments.inputs[2] + n * walk.slice_bytes,
                    walk.slice_bytes);
    }};
  });
}

constexpr CpuKernel indexed_list[] = {
    {.row = {.name = "gather", .op = "gather", .types = whole_bytes}, .prepare = prepare_gather},
    {.row = {.name = "gatherElements", .op = "gatherElements", .types = whole_bytes},
     .prepare = prepare_gather_elements},
    {.row = {.name = "gatherND", .op = "gatherND", .types = whole_bytes}, .prepare = prepare_gather_nd},
    {.row = {.name = "scatterElements", .op = "scatterElements", .types = whole_bytes, .in_place = 0b01},
     .prepare = prepare_scatter_elements},
    {.row = {.name = "scatterND", .op = "scatterND", .types = whole_bytes, .in_place = 0b01},
     .prepare = prepare_scatter_nd},
};
extern constexpr CpuKernels indexed_kernels(indexed_list);

}  // namespace webnn::runtime::simd
