// resample2d of channels-last float32, linear.
#include "runtime/cpu/xnnpack/operator.hpp"

namespace webnn::runtime::xnnpack {

Kernel prepare_resample2d(const KernelSpec& spec, Constants) {
  const Shape from = spec.inputs[0]->shape, to = spec.outputs[0].shape;
  const std::size_t channels = from[1];
  const Operator op = create_operator(
      spec, [&](auto* made) { return xnn_create_resize_bilinear2d_nhwc_f32(channels, channels, channels, 0, made); });
  return kernel_of(spec, op, [from, to](auto* set, const auto& at) {
    return xnn_setup_resize_bilinear2d_nhwc_f32(set, from[0], from[2], from[3], to[2], to[3], input<float>(at),
                                                output<float>(at), nullptr);
  });
}

}  // namespace webnn::runtime::xnnpack
