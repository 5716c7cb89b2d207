// cumulativeSum along an axis, from either end, inclusive or exclusive. Integers wrap.
#include "runtime/cpu/reference/reference.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {

Kernel prepare_cumulative_sum(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const AxisView view = view_along(call.shape(0), call.u32("axis"));
  const bool exclusive = call.boolean("exclusive");
  const bool reversed = call.boolean("reversed");
  return dispatch(WideTypes{}, call.operand(0).type, [&]<typename T>() {
    using Sum = std::conditional_t<is_real<T>, double, std::uint64_t>;
    return make_kernel([=](const KernelArguments& arguments) {
      const T* x = input<T>(arguments, 0);
      T* y = output<T>(arguments);
      for (std::size_t outer = 0; outer < view.outer; ++outer) {
        for (std::size_t inner = 0; inner < view.inner; ++inner) {
          const std::size_t line = outer * view.size * view.inner + inner;
          Sum sum = 0;
          for (std::size_t step = 0; step < view.size; ++step) {
            const std::size_t at = line + (reversed ? view.size - 1 - step : step) * view.inner;
            const Sum before = sum;
            sum += Sum(load(x[at]));
            y[at] = store<T>(arithmetic_t<T>(exclusive ? before : sum));
          }
        }
      }
    });
  });
}

constexpr CpuKernel cumulative_sum_list[] = {
    {.row = {.name = "cumulativeSum", .op = "cumulativeSum"}, .prepare = prepare_cumulative_sum},
};
extern constexpr CpuKernels cumulative_sum_kernels(cumulative_sum_list);

}  // namespace webnn::runtime::reference
