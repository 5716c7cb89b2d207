#include "runtime/vulkan/kernels/quantized/packed_filters.hpp"

#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {
namespace {

std::uint64_t padded(std::uint64_t count) { return round_up(count, 4); }

/// A filter as [outputs, inputs, taps].
struct FilterShape {
  explicit FilterShape(const KernelSpec& spec)
      : outputs(spec.inputs[1]->shape[0]),
        inputs(spec.inputs[1]->shape[1]),
        taps(std::uint64_t(spec.inputs[1]->shape[2]) * spec.inputs[1]->shape[3]) {}
  std::uint64_t outputs, inputs, taps;
};

void pack_inputs(const KernelSpec& spec, std::span<const std::byte> from, std::span<std::byte> to) {
  const FilterShape filter(spec);
  std::size_t i = 0;
  for (std::uint64_t output = 0; output < filter.outputs; ++output)
    for (std::uint64_t input = 0; input < filter.inputs; ++input)
      for (std::uint64_t tap = 0; tap < filter.taps; ++tap)
        to[(output * filter.taps + tap) * padded(filter.inputs) + input] = from[i++];
}

void pack_outputs(const KernelSpec& spec, std::span<const std::byte> from, std::span<std::byte> to) {
  const FilterShape filter(spec);
  std::size_t i = 0;
  for (std::uint64_t output = 0; output < filter.outputs; ++output)
    for (std::uint64_t tap = 0; tap < filter.taps; ++tap) to[tap * padded(filter.outputs) + output] = from[i++];
}

}  // namespace

const GpuPacking words_of_inputs{"vulkan.words_of_inputs",
                                 [](const KernelSpec& spec) {
                                   const FilterShape filter(spec);
                                   return filter.outputs * filter.taps * padded(filter.inputs);
                                 },
                                 pack_inputs};
const GpuPacking words_of_outputs{"vulkan.words_of_outputs",
                                  [](const KernelSpec& spec) {
                                    const FilterShape filter(spec);
                                    return filter.taps * padded(filter.outputs);
                                  },
                                  pack_outputs};

}  // namespace webnn::runtime::vulkan
