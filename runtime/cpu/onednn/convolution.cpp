// conv2d and convTranspose2d on channels-last activations, with the filter in the blocked layout that oneDNN asks for.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "runtime/cpu/onednn/descs.hpp"
#include "runtime/cpu/onednn/execution.hpp"
#include "runtime/cpu/onednn/implementation.hpp"
#include "runtime/cpu/onednn/keep_nan.hpp"
#include "runtime/cpu/onednn/late_kernel.hpp"
#include "runtime/cpu/onednn/pieces.hpp"
#include "runtime/cpu/onednn/post_ops.hpp"
#include "runtime/cpu/onednn/weights.hpp"
#include "runtime/cpu_kernel.hpp"
#include "runtime/plain_convolution.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::onednn {
namespace {

using dnnl::memory;

/// `Forward` is dnnl::convolution_forward or dnnl::deconvolution_forward.
template <typename Forward>
struct Convolution {
  memory::desc filter;  // as in the graph
  BoundPostOps post_ops;
  std::optional<std::size_t> bias;  // operand index
  typename Forward::primitive_desc described;
};

template <typename Forward>
inline constexpr bool is_transposed = std::is_same_v<Forward, dnnl::deconvolution_forward>;

/// Code that makes a matrix of all windows multiplies weights with the zeros around the input: an infinite weight makes
/// NaN of that.
template <typename Described>
bool multiplies_padding(const Described& described) {
  return std::string_view(described.impl_info_str()).find("gemm") != std::string_view::npos;
}
/// oneDNN's last resort, which takes hundreds of times as long.
template <typename Described>
bool goes_by_elements(const Described& described) {
  return std::string_view(described.impl_info_str()).starts_with("ref");
}

/// Describes one band of the call, with the filter in the order `wanted_filter`.
template <typename Forward>
Convolution<Forward> describe(const KernelSpec& spec, const Band& band, const memory::desc& wanted_filter) {
  constexpr auto algorithm =
      is_transposed<Forward> ? dnnl::algorithm::deconvolution_direct : dnnl::algorithm::convolution_direct;
  const SpecCall call(spec);
  constexpr auto f32 = memory::data_type::f32;
  const WindowDims window(call, band);

  Convolution<Forward> result;
  result.filter = wanted_filter;
  result.post_ops = plan_post_ops(spec, {3, 3, 4}, !call.has_operand(2));
  result.bias = call.has_operand(2) ? std::optional<std::size_t>(2) : result.post_ops.bias;

  const memory::desc input = activations(band, call.shape(0), f32, band.input_rows);
  const memory::desc output = activations(band, spec.outputs[0].shape, f32, band.rows);
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

/// Describes the whole call; oneDNN chooses the order of the filter.
template <typename Forward>
Convolution<Forward> describe(const KernelSpec& spec) {
  const SpecCall call(spec);
  constexpr auto f32 = memory::data_type::f32;
  const memory::desc filter =
      filter_desc(filter_shape(call, spec.outputs[0].shape), call.u32("groups"), is_transposed<Forward>, f32);
  Convolution<Forward> whole = describe<Forward>(spec, whole_band(call, spec.outputs[0].shape),
                                                 memory::desc(filter.dims(), f32, memory::format_tag::any));
  whole.filter = filter;
  return whole;
}

/// Prepares the call in the way that it is described.
template <typename Forward>
Kernel prepare_described(const KernelSpec& spec, Constants constants, InvalidWatch* watch,
                         const Convolution<Forward>& whole) {
  const SpecCall call(spec);
  const memory::desc wanted = whole.described.weights_desc();
  ScratchLayout scratch;
  const Weights weights(spec, 1, constants[1], whole.filter, wanted, scratch);
  const auto pieces = std::make_shared<Pieces>();
  const auto add = [&](const Band& band, const Convolution<Forward>& convolution, const Forward& primitive) {
    const auto& described = convolution.described;
    Execution& piece = pieces->add(primitive, described.scratchpad_desc());
    piece.bind_input(DNNL_ARG_SRC, described.src_desc(), 0, band.first_input_byte(call.operand(0)));
    if (convolution.bias) piece.bind_input(DNNL_ARG_BIAS, described.bias_desc(), *convolution.bias);
    piece.bind_output(DNNL_ARG_DST, described.dst_desc(), band.first_byte(spec.outputs[0]));
    piece.tell(watch);
    convolution.post_ops.bind(piece);
    weights.bind(piece);
  };
  auto bands = bands_of(call, spec.outputs[0].shape, !is_transposed<Forward>);
  // Matrix code rounds an element differently where it is among the last of a line: the number of threads would show.
  if (form_of(call, spec.outputs[0].shape) != Form::images && multiplies_padding(whole.described)) bands.clear();
  const auto parts = same_code(bands, whole.described.impl_info_str(),
                               [&](const Band& band) { return describe<Forward>(spec, band, wanted); });
  pieces->count_code(functions_of(call, spec.outputs[0].shape, std::max<std::size_t>(parts.kinds.size(), 1)));
  add_parts<Forward>(bands, parts, whole_band(call, spec.outputs[0].shape), whole, add);
  pieces->plan(scratch);
  const auto run = [pieces, weights, sum = whole.post_ops.sum,
                    bytes = byte_length(spec.outputs[0])](const KernelArguments& arguments) {
    if (sum) place_in_output(arguments, *sum, bytes);
    weights.bring(arguments);
    pieces->run(arguments);
  };
  return kernel_of(run, scratch);
}

bool is_padded(const KernelSpec& spec) {
  const auto windows = sliding_windows(SpecCall(spec), spec.outputs[0].shape);
  return std::ranges::any_of(windows, [](const SlidingWindow& axis) { return axis.begin != 0 || axis.end != 0; });
}

bool all_finite(std::span<const std::byte> weights) {
  const auto* first = reinterpret_cast<const float*>(weights.data());
  return std::all_of(first, first + weights.size() / sizeof(float), [](float weight) { return std::isfinite(weight); });
}

/// The rest of the call behind its sums, the first operand: a convolution by 1 x 1 windows of ones, each of one channel,
/// has its bias and its post-ops.
KernelSpec finish_of(const KernelSpec& spec) {
  KernelSpec finish = spec;
  finish.op = "conv2d"_op;
  finish.attributes = Attributes(row(finish.op).attributes.size());
  const std::uint32_t channels = spec.outputs[0].shape[1];
  finish.attributes[std::size_t(row(finish.op).attribute_index("groups"))] = std::int64_t{channels};
  finish.inputs[0] = spec.outputs[0];
  finish.inputs[1] = OperandDescriptor{DataType::float32, Shape{channels, 1, 1, 1}};
  if (!finish.input_forms.empty()) finish.input_forms[1].clear();
  finish.constants |= 0b10;
  return finish;
}

/// The sums of the call by plain loops: for weights that oneDNN's code would multiply with padding although they are not
/// finite, and where it has no code. `filter`: as in the graph.
Kernel prepare_plain(const KernelSpec& spec, Constants constants, InvalidWatch* watch, const memory::desc& filter) {
  const auto plain = std::make_shared<PlainConvolution>(spec);
  const bool is_constant = !constants[1].empty();
  if (is_constant) {
    const AlignedBytes weights = unpack_weights(spec.input_form(1), filter, constants[1]);
    plain->take_weights(reinterpret_cast<const float*>(weights.data()));
  }
  const KernelSpec finish = finish_of(spec);
  const auto ones = std::make_shared<CountedVector<float>>(spec.outputs[0].shape[1], 1.0f);
  std::vector<std::span<const std::byte>> other_constants(constants.begin(), constants.end());
  other_constants[1] = std::as_bytes(std::span(*ones));
  Kernel kernel = prepare_described(finish, other_constants, watch, describe<dnnl::convolution_forward>(finish));
  const auto sums = std::make_shared<AlignedBytes>(AlignedBytes::unwritten(byte_length(spec.outputs[0])));
  kernel.run = [=, run = std::move(kernel.run)](const KernelArguments& arguments) {
    const auto numbers = [](const std::byte* bytes) { return reinterpret_cast<const float*>(bytes); };
    if (!is_constant) plain->take_weights(numbers(arguments.inputs[1]));
    constexpr float infinity = std::numeric_limits<float>::infinity();
    plain->run(numbers(arguments.inputs[0]), reinterpret_cast<float*>(sums->data()), {nullptr, -infinity, infinity}, 0);
    std::vector<const std::byte*> inputs(arguments.inputs.begin(), arguments.inputs.end());
    inputs[0] = sums->data();
    inputs[1] = std::as_bytes(std::span(*ones)).data();
    run({inputs, arguments.outputs, arguments.scratch});
  };
  return kernel;
}

template <typename Forward>
Kernel prepare(const KernelSpec& spec, Constants constants, InvalidWatch* watch) {
  const Convolution<Forward> whole = describe<Forward>(spec);
  if (goes_by_elements(whole.described)) return prepare_plain(spec, constants, watch, whole.filter);
  const bool spoils_infinities = !is_transposed<Forward> && multiplies_padding(whole.described) && is_padded(spec);
  if (!spoils_infinities) return prepare_described(spec, constants, watch, whole);
  if (!constants[1].empty())
    return all_finite(constants[1]) ? prepare_described(spec, constants, watch, whole)
                                    : prepare_plain(spec, constants, watch, whole.filter);
  const auto prepare_late = [watch, filter = whole.filter](const KernelSpec& late, Constants its) {
    try {
      const Preparation alone;
      return prepare_plain(late, its, watch, filter);
    } catch (const dnnl::error& error) {
      throw as_error(error, late);
    }
  };
  Kernel kernel = prepare_described(spec, constants, watch, whole);
  kernel.run = [run = std::move(kernel.run), late = std::make_shared<LateKernel>(prepare_late, spec, constants),
                bytes = byte_length(*spec.inputs[1])](const KernelArguments& arguments) {
    if (all_finite({arguments.inputs[1], bytes})) return run(arguments);
    late->run(arguments);
  };
  return kernel;
}

template <typename Forward>
std::optional<PackedConstant> pack(const KernelSpec& spec, std::span<const std::byte> bytes) {
  const Convolution<Forward> convolution = describe<Forward>(spec);
  return pack_weights(convolution.filter, convolution.described.weights_desc(), bytes);
}

Kernel prepare_watched_convolution(const KernelSpec& spec, Constants constants, InvalidWatch* watch) try {
  const Preparation alone;
  if (spec.op == "convTranspose2d"_op) return prepare<dnnl::deconvolution_forward>(spec, constants, watch);
  return prepare<dnnl::convolution_forward>(spec, constants, watch);
} catch (const dnnl::error& error) {
  throw as_error(error, spec);
}

}  // namespace

Kernel prepare_convolution(const KernelSpec& spec, Constants constants) {
  return keep_nan(prepare_watched_convolution, spec, constants);
}

std::optional<PackedConstant> pack_filter(const KernelSpec& spec, std::size_t, std::span<const std::byte> bytes) try {
  const Preparation alone;
  if (spec.op == "convTranspose2d"_op) return pack<dnnl::deconvolution_forward>(spec, bytes);
  return pack<dnnl::convolution_forward>(spec, bytes);
} catch (const dnnl::error& error) {
  throw as_error(error, spec);
}

std::string implementation_of_convolution(const KernelSpec& spec) {
  const Preparation alone;
  if (spec.op == "convTranspose2d"_op) return describe<dnnl::deconvolution_forward>(spec).described.impl_info_str();
  return describe<dnnl::convolution_forward>(spec).described.impl_info_str();
}

namespace {

bool takes_convolution(const KernelSpec& spec) {
  const SpecCall call(spec);
  const bool transposed = spec.op == "convTranspose2d"_op;
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == (transposed ? "iohw" : "oihw") &&
         takes_windows(call, spec);
}

bool takes_convolution_post_ops(const KernelSpec& spec) {
  return takes_post_ops(spec, 3, !spec.inputs[2].has_value(), true);
}

consteval CpuKernel convolution(std::string_view op) {
  return {.row = {.name = op,
                  .op = op,
                  .types = {DataType::float32},
                  .features = Feature::avx2,
                  .in_place = 0b1111'1000,
                  .layouts = LayoutRule::channels_last,
                  .packs = 0b10,
                  .can = takes_convolution,
                  .can_apply = takes_convolution_post_ops,
                  .factor = direct_factor,
                  .scale = by_vectors},
          .prepare = prepare_convolution,
          .pack = pack_filter};
}

}  // namespace

constexpr CpuKernel convolution_list[] = {convolution("conv2d"), convolution("convTranspose2d")};
extern constexpr CpuKernels convolution_kernels(convolution_list);

}  // namespace webnn::runtime::onednn
