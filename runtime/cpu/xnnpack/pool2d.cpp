// maxPool2d of channels-last bytes.
#include <algorithm>
#include <limits>
#include <vector>

#include "runtime/cpu/xnnpack/operator.hpp"
#include "schema/operator_call.hpp"

namespace webnn::runtime::xnnpack {
namespace {

struct Pooling {
  std::size_t batch, channels, height, width;
  std::vector<std::uint32_t> window, strides, dilations;
  std::uint32_t begin[2], end[2];  // padding

  /// The padding behind the input is what the last windows need, so that rounding up is like rounding down.
  explicit Pooling(const KernelSpec& spec) {
    const auto operands = spec.root_operands();
    const OperatorCall call(spec.op, operands, spec.attributes);
    const Shape &input = call.shape(0), &output = spec.outputs[0].shape;
    batch = input[0];
    channels = input[1];
    height = input[2];
    width = input[3];
    window = call.u32_list("windowDimensions");
    strides = call.u32_list("strides");
    dilations = call.u32_list("dilations");
    const auto padding = call.u32_list("padding");
    for (unsigned i = 0; i < 2; ++i) {
      begin[i] = padding[2 * i];
      const std::int64_t needed = std::int64_t{output[2 + i] - 1} * strides[i] +
                                  std::int64_t{window[i] - 1} * dilations[i] + 1 - begin[i] - input[2 + i];
      end[i] = std::uint32_t(std::max<std::int64_t>(needed, 0));
    }
  }
};

template <typename T, typename Create, typename Setup>
Kernel prepare_max_pool_of(const KernelSpec& spec, Create create, Setup setup) {
  const Pooling pool(spec);
  const Operator op = create_operator(spec, [&](auto* made) {
    return create(pool.begin[0], pool.end[1], pool.end[0], pool.begin[1], pool.window[0], pool.window[1],
                  pool.strides[0], pool.strides[1], pool.dilations[0], pool.dilations[1], pool.channels, pool.channels,
                  pool.channels, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 0, made);
  });
  return kernel_of(spec, op,
                   [setup, batch = pool.batch, height = pool.height, width = pool.width](auto* set, const auto& at) {
                     return setup(set, batch, height, width, input<T>(at), output<T>(at), nullptr);
                   });
}

}  // namespace

Kernel prepare_max_pool2d(const KernelSpec& spec, Constants) {
  if (spec.outputs[0].type == DataType::uint8)
    return prepare_max_pool_of<std::uint8_t>(spec, xnn_create_max_pooling2d_nhwc_u8, xnn_setup_max_pooling2d_nhwc_u8);
  return prepare_max_pool_of<std::int8_t>(spec, xnn_create_max_pooling2d_nhwc_s8, xnn_setup_max_pooling2d_nhwc_s8);
}

}  // namespace webnn::runtime::xnnpack
