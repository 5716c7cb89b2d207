// @quantizedConv2d on 8-bit channels-last activations: integer products and sums, rescaled by a post-op.
#include <memory>
#include <string_view>

#include "runtime/cpu/onednn/descs.hpp"
#include "runtime/cpu/onednn/execution.hpp"
#include "runtime/cpu/onednn/pieces.hpp"
#include "runtime/cpu/onednn/weights.hpp"
#include "runtime/cpu_kernel.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::onednn {
namespace {

using dnnl::memory;

constexpr std::size_t filter_operand = 1, bias_operand = 2, scale_operand = 3;

memory::data_type type_of(DataType type) {
  if (type == DataType::float32) return memory::data_type::f32;
  return type == DataType::uint8 ? memory::data_type::u8 : memory::data_type::s8;
}

struct QuantizedConvolution {
  memory::desc filter, scale;  // filter as in the graph; one factor per output channel
  double input_scale, output_scale;
  bool has_bias;
  dnnl::convolution_forward::primitive_desc described;
};

/// Whether oneDNN's AMX code may access memory behind its tensors (version 2.6; found with tensors that end where a page
/// does). It processes 1x1 windows in tiles of at most 16 positions, two at a time, twice; with exactly three tiles it reads
/// and writes a fourth one. With a zero point, some windows with padding write too many rows. Its newer code (brgconv)
/// crashes on some windows with strides.
bool may_pass_ends(const dnnl::convolution_forward::primitive_desc& described, const Dims& output,
                   std::int32_t zero_point) {
  constexpr std::int64_t positions = 3 * 16;
  const std::string_view code = described.impl_info_str();
  if (!code.ends_with("avx512_core_amx_int8")) return false;
  if (code.starts_with("jit_1x1:")) return output[2] * output[3] <= positions;
  return !code.starts_with("jit:") || zero_point != 0;
}

/// Describes one band of the call, with the filter in the order `wanted_filter`. Independent of the scales, because the
/// packed filter must not depend on them.
QuantizedConvolution describe(const KernelSpec& spec, const Band& band, const memory::desc& wanted_filter) {
  const SpecCall call(spec);
  const WindowDims window(call, band);
  const Shape& output_shape = spec.outputs[0].shape;
  constexpr auto f32 = memory::data_type::f32;
  QuantizedConvolution result;
  result.input_scale = call.real("inputScale");
  const bool rounds = spec.outputs[0].type != DataType::float32;
  result.output_scale = rounds ? call.real("outputScale") : 1;
  result.has_bias = call.has_operand(bias_operand);
  result.filter = wanted_filter;
  result.scale = {{1, output_shape[1], 1, 1}, f32, memory::format_tag::nhwc};

  const memory::desc input = activations(band, call.shape(0), type_of(call.operand(0).type), band.input_rows);
  const memory::desc output = activations(band, output_shape, type_of(spec.outputs[0].type), band.rows);
  const memory::desc bias =
      result.has_bias ? memory::desc({output_shape[1]}, f32, memory::format_tag::x) : memory::desc();
  const dnnl::convolution_forward::desc desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                             input, wanted_filter, bias, output, window.strides, window.dilations,
                                             window.padding_begin, window.padding_end);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (const int zero_point = call.i32("inputZeroPoint")) attributes.set_zero_points(DNNL_ARG_SRC, 0, {zero_point});
  if (const int zero_point = call.i32("outputZeroPoint"); rounds && zero_point != 0)
    attributes.set_zero_points(DNNL_ARG_DST, 0, {zero_point});
  dnnl::post_ops post_ops;
  post_ops.append_binary(dnnl::algorithm::binary_mul, result.scale);
  attributes.set_post_ops(post_ops);
  result.described = dnnl::convolution_forward::primitive_desc(desc, attributes, engine());
  while (may_pass_ends(result.described, output.dims(), call.i32("inputZeroPoint")))
    if (!result.described.next_impl()) throw dnnl::error(dnnl_unimplemented, "no implementation stays in its tensors");
  return result;
}

/// Describes the whole call; oneDNN chooses the order of the filter.
QuantizedConvolution describe(const KernelSpec& spec) {
  const SpecCall call(spec);
  constexpr auto s8 = memory::data_type::s8;
  const memory::desc filter = filter_desc(filter_shape(call, spec.outputs[0].shape), call.u32("groups"), false, s8);
  QuantizedConvolution whole =
      describe(spec, whole_band(call, spec.outputs[0].shape), memory::desc(filter.dims(), s8, memory::format_tag::any));
  whole.filter = filter;
  return whole;
}

}  // namespace

Kernel prepare_quantized_convolution(const KernelSpec& spec, Constants constants) try {
  const Preparation alone;
  const QuantizedConvolution whole = describe(spec);
  const SpecCall call(spec);
  const memory::desc wanted = whole.described.weights_desc();
  ScratchLayout scratch;
  const Weights weights(spec, filter_operand, constants[filter_operand], whole.filter, wanted, scratch);
  const std::size_t channels = spec.outputs[0].shape[1];
  const std::size_t scale_at = scratch.add(channels * sizeof(float)), bias_at = scratch.add(channels * sizeof(float));
  const auto pieces = std::make_shared<Pieces>();
  using Forward = dnnl::convolution_forward;
  const auto add = [&](const Band& band, const QuantizedConvolution& convolution, const Forward& primitive) {
    const auto& described = convolution.described;
    Execution& piece = pieces->add(primitive, described.scratchpad_desc());
    piece.bind_input(DNNL_ARG_SRC, described.src_desc(), 0, band.first_input_byte(call.operand(0)));
    piece.bind_output(DNNL_ARG_DST, described.dst_desc(), band.first_byte(spec.outputs[0]));
    piece.bind_scratch(DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, convolution.scale, scale_at);
    if (convolution.has_bias) piece.bind_scratch(DNNL_ARG_BIAS, described.bias_desc(), bias_at);
    weights.bind(piece);
  };
  const auto bands = bands_of(call, spec.outputs[0].shape, true);
  const auto parts =
      same_code(bands, whole.described.impl_info_str(), [&](const Band& band) { return describe(spec, band, wanted); });
  pieces->count_code(functions_of(call, spec.outputs[0].shape, std::max<std::size_t>(parts.kinds.size(), 1)));
  add_parts<Forward>(bands, parts, whole_band(call, spec.outputs[0].shape), whole, add);
  pieces->plan(scratch);
  const auto run = [=, input_scale = whole.input_scale, output_scale = whole.output_scale,
                    has_bias = whole.has_bias](const KernelArguments& arguments) {
    // The bias is added to the integer sums, so it needs their scale.
    const auto* filter_scale = reinterpret_cast<const float*>(arguments.inputs[scale_operand]);
    const auto* bias = reinterpret_cast<const float*>(arguments.inputs[bias_operand]);
    auto* scales = reinterpret_cast<float*>(arguments.scratch + scale_at);
    auto* biases = reinterpret_cast<float*>(arguments.scratch + bias_at);
    for (std::size_t i = 0; i < channels; ++i) {
      const double unit = input_scale * filter_scale[i];
      scales[i] = float(unit / output_scale);
      if (has_bias) biases[i] = float(bias[i] / unit);
    }
    weights.bring(arguments);
    pieces->run(arguments);
  };
  return kernel_of(run, scratch);
} catch (const dnnl::error& error) {
  throw as_error(error, spec);
}

std::optional<PackedConstant> pack_quantized_filter(const KernelSpec& spec, std::size_t,
                                                    std::span<const std::byte> bytes) try {
  const Preparation alone;
  const QuantizedConvolution convolution = describe(spec);
  return pack_weights(convolution.filter, convolution.described.weights_desc(), bytes);
} catch (const dnnl::error& error) {
  throw as_error(error, spec);
}

namespace {

/// @quantizedConv2d in which every window sees some of the input.
bool takes_quantized_convolution(const KernelSpec& spec) { return takes_windows(SpecCall(spec), spec); }

}  // namespace

constexpr CpuKernel quantized_convolution_list[] = {
    {.row = {.name = "quantizedConv2d",
             .op = "@quantizedConv2d",
             .types = int8_or_uint8,
             .features = Feature::avx512_vnni,
             .layouts = LayoutRule::channels_last,
             .packs = 0b10,
             .can = takes_quantized_convolution,
             .factor = direct_factor,
             .scale = by_vectors},
     .prepare = prepare_quantized_convolution,
     .pack = pack_quantized_filter},
};
extern constexpr CpuKernels quantized_convolution_kernels(quantized_convolution_list);

}  // namespace webnn::runtime::onednn
