// softmax: exp(x - max) / sum of exp(x - max) along one axis. Subtracting the greatest element keeps exp in range.
#include "runtime/cpu/reference/reference.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

/// `size` elements, `step` apart. A NaN makes the sum, and with it all results, NaN.
template <typename T>
void softmax(const T* from, T* to, std::size_t size, std::size_t step) {
  double greatest = -INFINITY;
  for (std::size_t i = 0; i < size; ++i) greatest = std::fmax(greatest, load(from[i * step]));
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += std::exp(load(from[i * step]) - greatest);
  for (std::size_t i = 0; i < size; ++i) to[i * step] = store<T>(std::exp(load(from[i * step]) - greatest) / sum);
}

}  // namespace

Kernel prepare_softmax(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const AxisView view = view_along(call.shape(0), call.u32("axis"));
  return dispatch(FloatTypes{}, call.operand(0).type, [&]<typename T>() {
    return make_kernel([=](const KernelArguments& arguments) {
      for (std::size_t outer = 0; outer < view.outer; ++outer)
        for (std::size_t inner = 0; inner < view.inner; ++inner) {
          const std::size_t first = outer * view.size * view.inner + inner;
          softmax(input<T>(arguments, 0) + first, output<T>(arguments) + first, view.size, view.inner);
        }
    });
  });
}

constexpr CpuKernel softmax_list[] = {
    {.row = {.name = "softmax", .op = "softmax"}, .prepare = prepare_softmax},
};
extern constexpr CpuKernels softmax_kernels(softmax_list);

}  // namespace webnn::runtime::reference
