// argMin and argMax: the position of the extreme along an axis. The first of equal elements wins; a NaN wins only among
// NaNs.
#include "runtime/cpu/reference/reference.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {

Kernel prepare_arg_reduction(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const AxisView view = view_along(call.shape(0), call.u32("axis"));
  const bool greatest = call.id() == "argMax"_op;
  return dispatch(AnyTypes{}, call.operand(0).type, [&]<typename T>() {
    return dispatch(TypeList<std::int32_t, std::int64_t>{}, spec.outputs[0].type, [&]<typename I>() {
      return make_kernel([=](const KernelArguments& arguments) {
        const T* x = input<T>(arguments, 0);
        I* y = output<I>(arguments);
        for (std::size_t outer = 0; outer < view.outer; ++outer) {
          for (std::size_t inner = 0; inner < view.inner; ++inner) {
            const T* line = x + outer * view.size * view.inner + inner;
            std::size_t winner = 0;
            auto best = load(line[0]);
            for (std::size_t i = 1; i < view.size; ++i) {
              const auto value = load(line[i * view.inner]);
              const bool better = is_nan(best) ? !is_nan(value) : greatest ? value > best : value < best;
              if (!better) continue;
              best = value;
              winner = i;
            }
            *y++ = I(winner);
          }
        }
      });
    });
  });
}

constexpr CpuKernel arg_reduction_list[] = {
    {.row = {.name = "argReduction", .family = Family::arg_reduction}, .prepare = prepare_arg_reduction},
};
extern constexpr CpuKernels arg_reduction_kernels(arg_reduction_list);

}  // namespace webnn::runtime::reference
