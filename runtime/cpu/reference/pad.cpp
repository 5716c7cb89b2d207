// pad: a border of a constant, of the nearest edge, or of the mirrored interior.
#include <algorithm>
#include <cstring>

#include "runtime/cpu/reference/reference.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

enum class Mode : std::uint8_t { constant, edge, reflection };

Mode mode_of(std::string_view text) {
  return text == "edge" ? Mode::edge : text == "reflection" ? Mode::reflection : Mode::constant;
}

/// The source position of a border element along one axis; outside of 0..size-1 only in constant mode. A reflected
/// border is narrower than the axis (the shape rule ensures that), so one reflection suffices.
std::int64_t source_position(Mode mode, std::int64_t position, std::int64_t size) {
  if (mode == Mode::edge) return std::clamp<std::int64_t>(position, 0, size - 1);
  if (mode == Mode::reflection && position < 0) return -position;
  if (mode == Mode::reflection && position >= size) return 2 * (size - 1) - position;
  return position;
}

}  // namespace

Kernel prepare_pad(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const Mode mode = mode_of(call.text("mode"));
  const Shape inside = call.shape(0);
  const Strides strides = row_major_strides(inside);
  const Shape shape = spec.outputs[0].shape;
  const Shape before{call.u32_list("beginningPadding")};
  std::byte value_bytes[8]{};
  schema::store(call.number("value", Number(0)), spec.outputs[0].type, value_bytes);
  return dispatch_size(spec.outputs[0].type, [&]<typename T>() {
    T value;
    std::memcpy(&value, value_bytes, sizeof value);
    return make_kernel([=](const KernelArguments& arguments) {
      const T* x = input<T>(arguments, 0);
      T* y = output<T>(arguments);
      for_each_index(shape, [&](const Index& index, std::size_t number) {
        std::int64_t source = 0;
        bool in_border = false;
        for (unsigned axis = 0; axis < inside.rank(); ++axis) {
          const std::int64_t position = source_position(mode, index[axis] - before[axis], inside[axis]);
          in_border |= position < 0 || position >= std::int64_t(inside[axis]);
          source += position * strides[axis];
        }
        y[number] = in_border ? value : x[source];
      });
    });
  });
}

constexpr CpuKernel pad_list[] = {
    {.row = {.name = "pad", .op = "pad"}, .prepare = prepare_pad},
};
extern constexpr CpuKernels pad_kernels(pad_list);

}  // namespace webnn::runtime::reference
