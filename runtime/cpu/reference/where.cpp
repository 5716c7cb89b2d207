// where: elements of two operands, selected by a third one; all three broadcast.
#include "runtime/cpu/reference/reference.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {

Kernel prepare_where(const KernelSpec& spec, Constants) {
  const Shape shape = spec.outputs[0].shape;
  const std::array<Strides, 3> strides{broadcast_strides(spec.inputs[0]->shape, shape),
                                       broadcast_strides(spec.inputs[1]->shape, shape),
                                       broadcast_strides(spec.inputs[2]->shape, shape)};
  return dispatch_size(spec.outputs[0].type, [&]<typename T>() {
    return make_kernel([=](const KernelArguments& arguments) {
      const auto* condition = input<std::uint8_t>(arguments, 0);
      const T* when_true = input<T>(arguments, 1);
      const T* when_false = input<T>(arguments, 2);
      T* y = output<T>(arguments);
      for_each_offset(shape, strides,
                      [&](const auto& at) { *y++ = condition[at[0]] ? when_true[at[1]] : when_false[at[2]]; });
    });
  });
}

constexpr CpuKernel where_list[] = {
    {.row = {.name = "where", .op = "where"}, .prepare = prepare_where},
};
extern constexpr CpuKernels where_kernels(where_list);

}  // namespace webnn::runtime::reference
