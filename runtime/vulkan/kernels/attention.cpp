// @attention. The scores are never written to memory.
#include <array>

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

/// An operand after its transpose.
struct Transposed {
  Shape shape;
  Strides strides{};

  Transposed(const Shape& operand, std::span<const std::uint32_t> permutation) {
    const Strides own = row_major_strides(operand);
    for (unsigned axis = 0; axis < permutation.size(); ++axis) {
      shape.push_back(operand[permutation[axis]]);
      strides[axis] = own[permutation[axis]];
    }
  }
};

}  // namespace

Dispatches dispatch_attention(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Transposed query(call.shape(0), call.u32_list("queryPermutation"));
  const Transposed key(call.shape(1), call.u32_list("keyPermutation"));
  const Transposed value(call.shape(2), call.u32_list("valuePermutation"));
  const unsigned rank = query.shape.rank(), token = rank - 2, feature = rank - 1;

  // Axis i of the output is axis permutation[i] of the result.
  const auto permutation = call.u32_list("outputPermutation");
  const Strides own = row_major_strides(spec.outputs[0].shape);
  Strides result{};
  Shape scores = query.shape;  // of the whole batch
  for (unsigned i = 0; i < rank; ++i) {
    result[permutation[i]] = own[i];
    scores[permutation[i]] = spec.outputs[0].shape[i];
  }
  scores[feature] = key.shape[token];
  const Shape batches(scores.sizes().first(token));
  const bool has_mask = call.has_operand(3);
  const Strides mask = has_mask ? broadcast_strides(call.shape(3), scores) : Strides{};
  const auto count = [](std::uint64_t tokens) { return (tokens + 3) / 4; };

  DispatchMaker maker(shaders::attention(), {code(call.operand(0).type), has_mask});
  maker.input(spec, 0).input(spec, 1).input(spec, 2);
  has_mask ? maker.input(spec, 3) : maker.absent();
  maker.output(spec);
  maker.word(query.shape[token]).word(key.shape[token]).word(query.shape[feature]).word(value.shape[feature]);
  for (const Strides& strides : {query.strides, key.strides, value.strides, mask, result})
    maker.word(std::uint64_t(strides[token])).word(std::uint64_t(strides[feature]));
  maker.real(parameter(call, "scale")).word(element_count(batches)).word(batches.rank()).shape(batches);
  for (const Transposed& operand : {query, key, value}) {
    Strides strides{};
    for (unsigned axis = 0; axis < token; ++axis) strides[axis] = operand.shape[axis] == 1 ? 0 : operand.strides[axis];
    maker.strides(strides);
  }
  for (const Strides& of : {mask, result}) maker.strides(std::span(of).first(token));
  // For 64 keys at a time: the features of a score, the maximum over the lanes, and the keys again for the values.
  const std::uint64_t of_keys = query.shape[feature] + 64 + 20;
  maker.turns((std::uint64_t(key.shape[token]) + 63) / 64 * of_keys);
  return maker.over_groups(count(query.shape[token]) * element_count(batches));
}

namespace {

/// @attention whose heads have at most 256 features.
bool takes_attention(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  constexpr std::uint32_t most_features = 256;
  const SpecCall call(spec);
  const auto features = [&](std::size_t operand, std::string_view permutation) {
    return call.shape(operand)[call.u32_list(permutation).back()];
  };
  return features(0, "queryPermutation") <= most_features && features(2, "valuePermutation") <= most_features;
}

}  // namespace

constexpr GpuKernel attention_list[] = {
    {.row = {.name = "attention", .op = "@attention", .can = takes_attention}, .dispatches = dispatch_attention},
};
extern constexpr GpuKernels attention_kernels(attention_list);

}  // namespace webnn::runtime::vulkan
