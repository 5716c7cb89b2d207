// cumulativeSum along an axis, from either end, inclusive or exclusive. Neighbouring lines are summed together. Floats
// are summed in double precision, so that long lines keep their digits; integers wrap.
#include <algorithm>

#include "runtime/cpu_kernel.hpp"
#include "runtime/memory_order.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

struct Scan {
  AxisView view;
  bool exclusive = false, reversed = false;
};

/// The number of lines summed together.
constexpr std::size_t block = 64;

template <typename T, typename Sum>
void scan_block(const Scan& scan, const T* x, T* y, std::size_t lines) {
  Sum sums[block] = {};
  const std::size_t size = scan.view.size, inner = scan.view.inner;
  for (std::size_t step = 0; step < size; ++step) {
    const std::size_t at = (scan.reversed ? size - 1 - step : step) * inner;
    for (std::size_t i = 0; i < lines; ++i) {
      const Sum before = sums[i];
      sums[i] += Sum(x[at + i]);
      y[at + i] = T(scan.exclusive ? before : sums[i]);
    }
  }
}

template <typename T, typename Sum>
Kernel prepare(const Scan& scan) {
  const std::size_t blocks = div_up(scan.view.inner, block);
  return {[=](const KernelArguments& arguments) {
    const std::size_t width = std::min(block, scan.view.inner);
    parallel_for(scan.view.outer * blocks, 1 + 20'000 / (scan.view.size * width),
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t task = begin; task < end; ++task) {
                     const std::size_t first = task % blocks * block;
                     const std::size_t start = task / blocks * scan.view.size * scan.view.inner + first;
                     scan_block<T, Sum>(scan, reinterpret_cast<const T*>(arguments.inputs[0]) + start,
                                        reinterpret_cast<T*>(arguments.outputs[0]) + start,
                                        std::min(block, scan.view.inner - first));
                   }
                 });
  }};
}

}  // namespace

Kernel prepare_cumulative_sum(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const Layout layout = common_layout(spec);
  const Shape& shape = call.shape(0);
  const Scan scan{view_along(shape_in_memory(shape, layout), axis_in_memory(call.u32("axis"), shape.rank(), layout)),
                  call.boolean("exclusive"), call.boolean("reversed")};
  if (call.operand(0).type == DataType::float32) return prepare<float, double>(scan);
  // Signed and unsigned integers wrap to the same bits.
  return element_bytes(call.operand(0).type) == 4 ? prepare<std::uint32_t, std::uint32_t>(scan)
                                                  : prepare<std::uint64_t, std::uint64_t>(scan);
}

constexpr CpuKernel cumulative_sum_list[] = {
    {.row =
         {.name = "cumulativeSum", .op = "cumulativeSum", .types = float32_or_integer, .layouts = LayoutRule::uniform},
     .prepare = prepare_cumulative_sum},
};
extern constexpr CpuKernels cumulative_sum_kernels(cumulative_sum_list);

}  // namespace webnn::runtime::simd
