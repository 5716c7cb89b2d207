// conv2d and convTranspose2d on channels-last activations, with the filter in the blocks that oneDNN asks for.
#include <memory>
#include <type_traits>

#include "runtime/cpu/onednn/descs.hpp"
#include "runtime/cpu/onednn/execution.hpp"
#include "runtime/cpu/onednn/implementation.hpp"
#include "runtime/cpu/onednn/keep_nan.hpp"
#include "runtime/cpu/onednn/post_ops.hpp"
#include "runtime/cpu/onednn/weights.hpp"

namespace webnn::runtime::onednn {
namespace {

using dnnl::memory;

/// `Forward` is dnnl::convolution_forward or dnnl::deconvolution_forward.
template <typename Forward>
struct Convolution {
  memory::desc filter;  // as the graph has it
  PostOpPlan post_ops;
  std::optional<std::size_t> bias;  // operand
  typename Forward::primitive_desc described;
};

template <typename Forward>
Convolution<Forward> describe(const KernelSpec& spec) {
  constexpr bool transposed = std::is_same_v<Forward, dnnl::deconvolution_forward>;
  constexpr auto algorithm = transposed ? dnnl::algorithm::deconvolution_direct : dnnl::algorithm::convolution_direct;
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  constexpr auto f32 = memory::data_type::f32;
  const WindowDims window(call);

  Convolution<Forward> result;
  result.filter = filter_desc(call.shape(1), call.u32("groups"), transposed, f32);
  result.post_ops = plan_post_ops(spec, {3, 3, 4}, !call.has_operand(2));
  result.bias = call.has_operand(2) ? std::optional<std::size_t>(2) : result.post_ops.bias;

  const memory::desc wanted_filter(result.filter.dims(), f32, memory::format_tag::any);
  const memory::desc input = channels_last(call.shape(0), f32), output = channels_last(spec.outputs[0].shape, f32);
  const memory::desc bias =
      result.bias ? memory::desc({spec.outputs[0].shape[1]}, f32, memory::format_tag::x) : memory::desc();
  const typename Forward::desc desc(dnnl::prop_kind::forward_inference, algorithm, input, wanted_filter, bias, output,
                                    window.strides, window.dilations, window.padding_begin, window.padding_end);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  attributes.set_post_ops(result.post_ops.chain);
  result.described = typename Forward::primitive_desc(desc, attributes, engine());
  return result;
}

template <typename Forward>
Kernel prepare(const KernelSpec& spec, Constants constants, InvalidWatch* watch) {
  const Convolution<Forward> convolution = describe<Forward>(spec);
  const auto& described = convolution.described;
  ScratchPlan scratch;
  const auto execution = std::make_shared<Execution>(Forward(described), described.scratchpad_desc(), scratch);
  execution->bind_input(DNNL_ARG_SRC, described.src_desc(), 0);
  if (convolution.bias) execution->bind_input(DNNL_ARG_BIAS, described.bias_desc(), *convolution.bias);
  execution->bind_output(DNNL_ARG_DST, described.dst_desc());
  execution->tell(watch);
  convolution.post_ops.bind(*execution);
  const std::shared_ptr<Execution> reorder =
      bind_weights(*execution, spec, 1, constants[1], convolution.filter, described.weights_desc(), scratch);
  const auto run = [execution, reorder, sum = convolution.post_ops.sum,
                    bytes = byte_length(spec.outputs[0])](const KernelArguments& arguments) {
    if (sum) place_in_output(arguments, *sum, bytes);
    if (reorder) reorder->run(arguments);
    execution->run(arguments);
  };
  return {run, scratch.bytes()};
}

template <typename Forward>
std::optional<PackedConstant> pack(const KernelSpec& spec, std::span<const std::byte> bytes) {
  const Convolution<Forward> convolution = describe<Forward>(spec);
  return pack_weights(convolution.filter, convolution.described.weights_desc(), bytes);
}

Kernel prepare_watched(const KernelSpec& spec, Constants constants, InvalidWatch* watch) try {
  if (spec.op == "convTranspose2d"_op) return prepare<dnnl::deconvolution_forward>(spec, constants, watch);
  return prepare<dnnl::convolution_forward>(spec, constants, watch);
} catch (const dnnl::error& error) {
  throw as_error(error, spec);
}

}  // namespace

Kernel prepare_convolution(const KernelSpec& spec, Constants constants) {
  return keep_nan(prepare_watched, spec, constants);
}

std::optional<PackedConstant> pack_filter(const KernelSpec& spec, std::size_t, std::span<const std::byte> bytes) try {
  if (spec.op == "convTranspose2d"_op) return pack<dnnl::deconvolution_forward>(spec, bytes);
  return pack<dnnl::convolution_forward>(spec, bytes);
} catch (const dnnl::error& error) {
  throw as_error(error, spec);
}

std::string implementation_of_convolution(const KernelSpec& spec) {
  if (spec.op == "convTranspose2d"_op) return describe<dnnl::deconvolution_forward>(spec).described.impl_info_str();
  return describe<dnnl::convolution_forward>(spec).described.impl_info_str();
}

}  // namespace webnn::runtime::onednn
