// softmax of float32 and float16 along any axis, in either layout.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/reduction/softmax.inl.hpp"
#include <algorithm>

#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/memory_order.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

constexpr std::size_t grain_elements = 4'000;

template <typename T>
Kernel prepare(const AxisView& view, Isa isa) {
  if (view.inner == 1) {
    const auto long_runs = VECTOR_CODE(isa, softmax_runs<T>);
    const auto short_runs = VECTOR_CODE(isa, softmax_short_runs<T>);
    const auto takes_short = VECTOR_CODE(isa, softmax_takes_short_runs);
    const auto softmax = takes_short(view.outer, view.size) ? short_runs : long_runs;
    return {[=](const KernelArguments& arguments) {
      const auto* x = reinterpret_cast<const T*>(arguments.inputs[0]);
      auto* y = reinterpret_cast<T*>(arguments.outputs[0]);
      parallel_for(view.outer, 1 + grain_elements / view.size,
                   [&](std::size_t begin, std::size_t end) { softmax(x, y, begin, end, view.size); });
    }};
  }
  const auto softmax = VECTOR_CODE(isa, softmax_columns<T>);
  const std::size_t width = VECTOR_CODE(isa, softmax_columns_at_once)();
  const std::size_t tiles = div_up(view.inner, width);
  return {[=](const KernelArguments& arguments) {
    const auto* x = reinterpret_cast<const T*>(arguments.inputs[0]);
    auto* y = reinterpret_cast<T*>(arguments.outputs[0]);
    const std::size_t grain = 1 + grain_elements / (view.size * std::min(width, view.inner));
    parallel_for(view.outer * tiles, grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t task = begin; task < end; ++task) {
        const std::size_t first = task % tiles * width;
        const std::size_t start = task / tiles * view.size * view.inner + first;
        softmax(x + start, y + start, std::min(width, view.inner - first), view.size, view.inner);
      }
    });
  }};
}

}  // namespace

Kernel prepare_softmax(const KernelSpec& spec, Constants, Isa isa) {
  const SpecCall call(spec);
  const Layout layout = common_layout(spec);
  const Shape& shape = call.shape(0);
  const AxisView view =
      view_along(shape_in_memory(shape, layout), axis_in_memory(call.u32("axis"), shape.rank(), layout));
  return call.operand(0).type == DataType::float16 ? prepare<Half>(view, isa) : prepare<float>(view, isa);
}

constexpr SimdKernel softmax_list[] = {
    {.row = {.name = "softmax", .op = "softmax", .types = floats, .in_place = 0b01, .layouts = LayoutRule::uniform},
     .prepare = prepare_softmax},
};
extern constexpr SimdKernels softmax_kernels(softmax_list);

}  // namespace webnn::runtime::simd
