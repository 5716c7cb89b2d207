// convTranspose2d of channels-last float32 whose windows do not overlap, to few channels: each pixel of the input
// becomes a window of the output, whose elements are products of the pixel's channels with weights of their own. The
// pixels of a row fill the vectors. Post-ops are a chain of elementwise steps over the output.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/conv_transpose2d.inl.hpp"
#include "runtime/cpu/simd/conv_transpose2d.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/prepare.hpp"
#include "runtime/parallel.hpp"

namespace webnn::runtime::simd {
namespace {

SpreadSizes sizes_of(const KernelSpec& spec) {
  const Shape &input = spec.inputs[0]->shape, &filter = spec.inputs[1]->shape;
  return {input[3], input[1], filter[2], std::size_t{filter[3]} * filter[1]};
}

/// From [channels, outputs, rows, columns] to groups of four of the results [rows, columns, outputs].
void write_weights(const SpreadSizes& sizes, const Shape& filter, const float* from, float* to) {
  const std::size_t outputs = filter[1], columns = filter[3], window = sizes.window_height * columns;
  std::fill_n(to, sizes.weight_count(), 0.0f);
  for (std::size_t channel = 0; channel < sizes.channels; ++channel)
    for (std::size_t output = 0; output < outputs; ++output)
      for (std::size_t at = 0; at < window; ++at) {
        const std::size_t result = at * outputs + output;
        to[(result / 4 * sizes.channels + channel) * 4 + result % 4] = *from++;
      }
}

/// The post-ops alone, applied to what is in the output already.
KernelSpec spec_of_post_ops(const KernelSpec& spec) {
  const PostOp& first = spec.post_ops[0];
  KernelSpec chain;
  chain.op = first.op;
  chain.attributes = first.attributes;
  chain.post_ops.assign(spec.post_ops.begin() + 1, spec.post_ops.end());
  chain.outputs = spec.outputs;
  chain.output_layouts = {spec.output_layout(0)};
  for (std::size_t i = spec.root_operand_count(); i < spec.inputs.size(); ++i) {
    chain.inputs.push_back(spec.inputs[i]);
    chain.input_layouts.push_back(spec.input_layout(i));
  }
  chain.inputs.insert(chain.inputs.begin() + first.chained_operand, spec.outputs[0]);
  chain.input_layouts.insert(chain.input_layouts.begin() + first.chained_operand, spec.output_layout(0));
  return chain;
}

/// The operands of spec_of_post_ops among those of the whole call.
template <typename T>
std::vector<T> operands_of_post_ops(const KernelSpec& spec, std::span<const T> operands, T result) {
  std::vector<T> chain(operands.begin() + std::ptrdiff_t(spec.root_operand_count()), operands.end());
  chain.insert(chain.begin() + spec.post_ops[0].chained_operand, result);
  return chain;
}

}  // namespace

template <Isa isa>
Kernel prepare_conv_transpose2d(const KernelSpec& spec, Constants constants) {
  constexpr auto spread = for_isa<isa>(N_AVX2::spread_row, N_AVX3::spread_row);
  const SpreadSizes sizes = sizes_of(spec);
  const Shape filter = spec.inputs[1]->shape;
  const std::size_t lines = std::size_t{spec.inputs[0]->shape[0]} * spec.inputs[0]->shape[2];
  const std::size_t input_line = sizes.width * sizes.channels, output_line = sizes.width * sizes.results();
  const std::size_t grain = 1 + 50'000 / (sizes.width * sizes.weight_count());

  std::shared_ptr<std::vector<float>> packed;  // null: the weights change from run to run
  if (!constants[1].empty()) {
    packed = std::make_shared<std::vector<float>>(sizes.weight_count());
    write_weights(sizes, filter, reinterpret_cast<const float*>(constants[1].data()), packed->data());
  }
  const std::size_t weight_bytes = packed ? 0 : (sizes.weight_count() * sizeof(float) + 63) / 64 * 64;

  const auto convolve = [=](const KernelArguments& arguments) {
    const auto* x = reinterpret_cast<const float*>(arguments.inputs[0]);
    auto* y = reinterpret_cast<float*>(arguments.outputs[0]);
    const float* weights = packed ? packed->data() : reinterpret_cast<const float*>(arguments.scratch);
    if (!packed)
      write_weights(sizes, filter, reinterpret_cast<const float*>(arguments.inputs[1]),
                    reinterpret_cast<float*>(arguments.scratch));
    float bias[SpreadSizes::most_results] = {};
    if (const auto* given = reinterpret_cast<const float*>(arguments.inputs[2]); given != nullptr)
      for (std::size_t i = 0; i < sizes.results(); ++i) bias[i] = given[i % filter[1]];
    parallel_for(lines, grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t line = begin; line < end; ++line)
        spread(sizes, x + line * input_line, weights, bias, y + line * output_line);
    });
  };
  if (spec.post_ops.empty()) return {convolve, weight_bytes};

  const std::size_t roots = spec.root_operand_count(), running = spec.post_ops[0].chained_operand;
  const auto chain_constants = operands_of_post_ops(spec, constants, std::span<const std::byte>());
  const Kernel chain = prepare_elementwise<isa>(spec_of_post_ops(spec), chain_constants);
  const std::size_t count = spec.inputs.size() - roots + 1;
  const auto run = [=](const KernelArguments& arguments) {
    convolve(arguments);
    const std::byte* operands[longest_chain + 1];
    for (std::size_t i = 0, next = roots; i < count; ++i)
      operands[i] = i == running ? arguments.outputs[0] : arguments.inputs[next++];
    chain.run({{operands, count}, arguments.outputs, arguments.scratch + weight_bytes});
  };
  return {run, weight_bytes + chain.scratch_bytes};
}
template Kernel prepare_conv_transpose2d<Isa::avx2>(const KernelSpec&, Constants);
template Kernel prepare_conv_transpose2d<Isa::avx512>(const KernelSpec&, Constants);

}  // namespace webnn::runtime::simd
