// conv2d and convTranspose2d of channels-last float32.
#include "runtime/cpu/xnnpack/filter.hpp"
#include "runtime/cpu/xnnpack/keep_nan.hpp"
#include "runtime/cpu/xnnpack/limits.hpp"
#include "runtime/cpu/xnnpack/operator.hpp"
#include "runtime/cpu_kernel.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::xnnpack {

namespace {

/// `create` is XNNPACK's function for convolutions or for transposed ones; both have the same parameters.
Operator create_window_operator(const KernelSpec& spec, const Convolution& conv, Constants constants,
                                decltype(xnn_create_convolution2d_nhwc_f32)* create) {
  const Range range = range_of(spec);
  const auto [top, bottom, left, right] = conv.padding;
  const CountedVector<float> filter = conv.order_filter(elements<float>(constants[1]));
  return create_operator(spec, [&, top = top, bottom = bottom, left = left, right = right](auto* made) {
    return create(top, right, bottom, left, conv.window_height, conv.window_width, conv.strides[0], conv.strides[1],
                  conv.dilations[0], conv.dilations[1], conv.groups, conv.group_inputs, conv.group_outputs,
                  conv.inputs(), conv.outputs(), filter.data(), elements<float>(constants[2]), range.low, range.high, 0,
                  made);
  });
}

}  // namespace

Kernel prepare_conv2d(const KernelSpec& spec, Constants constants) {
  const SpecCall call(spec);
  const Convolution conv(call);
  const Operator op = create_window_operator(spec, conv, constants, xnn_create_convolution2d_nhwc_f32);
  const auto setup = [batch = conv.batch, height = conv.height, width = conv.width](auto* set, const auto& at) {
    return xnn_setup_convolution2d_nhwc_f32(set, batch, height, width, input<float>(at), output<float>(at), nullptr);
  };
  return keep_nan(spec, constants, kernel_of(spec, op, setup));
}

Kernel prepare_conv_transpose2d(const KernelSpec& spec, Constants constants) {
  const SpecCall call(spec);
  const Convolution conv(call);
  const Operator op = create_window_operator(spec, conv, constants, xnn_create_deconvolution2d_nhwc_f32);
  // By how much the output is larger than the options imply.
  const auto rest = [&](std::uint32_t size, std::uint32_t output, std::uint32_t window, unsigned axis) {
    const std::int64_t least = std::int64_t{size - 1} * conv.strides[axis] +
                               std::int64_t{window - 1} * conv.dilations[axis] + 1 - conv.padding[2 * axis] -
                               conv.padding[2 * axis + 1];
    return std::uint32_t(output - least);
  };
  const Shape& result = spec.outputs[0].shape;
  const std::uint32_t more_rows = rest(conv.height, result[2], conv.window_height, 0);
  const std::uint32_t more_columns = rest(conv.width, result[3], conv.window_width, 1);
  const auto setup = [=, batch = conv.batch, height = conv.height, width = conv.width](auto* set, const auto& at) {
    return xnn_setup_deconvolution2d_nhwc_f32(set, batch, height, width, more_rows, more_columns, input<float>(at),
                                              output<float>(at), nullptr);
  };
  return keep_nan(spec, constants, kernel_of(spec, op, setup));
}

namespace {

/// conv2d and convTranspose2d in canonical layout. The output of convTranspose2d is at least one stride long in each
/// direction.
bool takes_convolution(const KernelSpec& spec) {
  const SpecCall call(spec);
  const bool transposed = spec.op == "convTranspose2d"_op;
  if (transposed) {  // there is one part for each position within a stride; a shorter result would leave parts empty
    const auto strides = call.u32_list("strides");
    if (spec.outputs[0].shape[2] < strides[0] || spec.outputs[0].shape[3] < strides[1]) return false;
  }
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == (transposed ? "iohw" : "oihw") &&
         takes_windows(call, spec);
}

consteval CpuKernel convolution(std::string_view op, decltype(CpuKernel::prepare) prepare) {
  return {.row = {.name = op,
                  .op = op,
                  .types = {DataType::float32},
                  .layouts = LayoutRule::channels_last,
                  .constants = 0b110,
                  .overreads = 0b01,
                  .can = takes_convolution,
                  .can_apply = takes_post_ops,
                  .factor = library_factor},
          .prepare = prepare};
}

}  // namespace

constexpr CpuKernel convolution_list[] = {convolution("conv2d", prepare_conv2d),
                                          convolution("convTranspose2d", prepare_conv_transpose2d)};
extern constexpr CpuKernels convolution_kernels(convolution_list);

}  // namespace webnn::runtime::xnnpack
