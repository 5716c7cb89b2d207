// maxPool2d of channels-last bytes.
#include <algorithm>
#include <array>
#include <limits>

#include "runtime/cpu/xnnpack/limits.hpp"
#include "runtime/cpu/xnnpack/operator.hpp"
#include "runtime/cpu_kernel.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::xnnpack {
namespace {

/// The windows, with as much padding at the end as the last ones need, so that rounding up becomes rounding down.
std::array<SlidingWindow, 2> windows_of(const OperatorCall& call, const Shape& output) {
  auto windows = sliding_windows(call, output);
  for (SlidingWindow& axis : windows)
    axis.end = std::max<std::int64_t>((axis.output - 1) * axis.stride + axis.extent() - axis.begin - axis.input, 0);
  return windows;
}

template <typename T, typename Create, typename Setup>
Kernel prepare_max_pool_of(const KernelSpec& spec, Create create, Setup setup) {
  const SpecCall call(spec);
  const auto windows = windows_of(call, spec.outputs[0].shape);
  const Shape& input_shape = call.shape(0);
  const std::size_t batch = input_shape[0], channels = input_shape[1], height = input_shape[2], width = input_shape[3];
  const Operator op = create_operator(spec, [&](auto* made) {
    const auto [y, x] = windows;
    const auto number = [](std::int64_t value) { return std::uint32_t(value); };
    return create(number(y.begin), number(x.end), number(y.end), number(x.begin), number(y.window), number(x.window),
                  number(y.stride), number(x.stride), number(y.dilation), number(x.dilation), channels, channels,
                  channels, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 0, made);
  });
  return kernel_of(spec, op, [=](auto* set, const auto& at) {
    return setup(set, batch, height, width, input<T>(at), output<T>(at), nullptr);
  });
}

}  // namespace

Kernel prepare_max_pool2d(const KernelSpec& spec, Constants) {
  if (spec.outputs[0].type == DataType::uint8)
    return prepare_max_pool_of<std::uint8_t>(spec, xnn_create_max_pooling2d_nhwc_u8, xnn_setup_max_pooling2d_nhwc_u8);
  return prepare_max_pool_of<std::int8_t>(spec, xnn_create_max_pooling2d_nhwc_s8, xnn_setup_max_pooling2d_nhwc_s8);
}

namespace {

/// XNNPACK finds maxima of larger windows in several rounds, which read the output back and past its end.
constexpr std::uint32_t most_of_maximum = 9;

/// Windows of 2 to 9 adjacent elements, each of which sees some of the input.
bool takes_max_pool(const KernelSpec& spec) {
  const SpecCall call(spec);
  if (call.text("layout") != "nchw" || call.shape(0)[1] > most_channels || !takes_windows(call, spec)) return false;
  const auto windows = sliding_windows(call, spec.outputs[0].shape);
  const std::int64_t most = most_of_maximum, elements = std::min(windows[0].window, most + 1) * windows[1].window;
  return elements > 1 && elements <= most && std::ranges::all_of(windows, [](const SlidingWindow& axis) {
           return axis.dilation == 1 && axis.begin < axis.window &&
                  (axis.output - 1) * axis.stride - axis.begin < axis.input;
         });
}

}  // namespace

constexpr CpuKernel pool2d_list[] = {
    {.row = {.name = "maxPool2d",
             .op = "maxPool2d",
             .types = int8_or_uint8,
             .layouts = LayoutRule::channels_last,
             .overreads = 0b01,
             .can = takes_max_pool,
             .factor = library_factor},
     .prepare = prepare_max_pool2d},
};
extern constexpr CpuKernels pool2d_kernels(pool2d_list);

}  // namespace webnn::runtime::xnnpack
