// @attention: softmax(scale * query * key^T + mask) * value, one query at a time, without rounding in between.
#include "runtime/cpu/reference/unpack.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

/// An operand after its transpose: its shape and strides.
struct Transposed {
  Shape shape;
  Strides strides{};

  Transposed(const Shape& operand, std::span<const std::uint32_t> permutation)
      : strides(pick(row_major_strides(operand), permutation)) {
    for (const std::uint32_t axis : permutation) shape.push_back(operand[axis]);
  }
  Shape batch_axes() const { return Shape(shape.sizes().first(shape.rank() - 2)); }
  /// Strides along the common batch axes of all operands.
  Strides batch_strides() const {
    Strides result{};
    for (unsigned axis = 0; axis + 2 < shape.rank(); ++axis) result[axis] = shape[axis] == 1 ? 0 : strides[axis];
    return result;
  }
};

struct Sizes {
  std::size_t queries, keys, features, value_features;
};

/// Strides along the last two axes.
struct Steps {
  std::int64_t token, feature;
};

template <typename T>
void attend(const Sizes& sizes, double scale, const T* query, Steps at_query, const T* key, Steps at_key,
            const T* value, Steps at_value, const T* mask, Steps at_mask, T* result, Steps at_result, double* weights) {
  for (std::size_t q = 0; q < sizes.queries; ++q) {
    const auto row = std::int64_t(q);
    double greatest = -INFINITY, sum = 0;
    for (std::size_t k = 0; k < sizes.keys; ++k) {
      double score = 0;
      for (std::size_t f = 0; f < sizes.features; ++f)
        score += load(query[row * at_query.token + std::int64_t(f) * at_query.feature]) *
                 load(key[std::int64_t(k) * at_key.token + std::int64_t(f) * at_key.feature]);
      score *= scale;
      if (mask != nullptr) score += load(mask[row * at_mask.token + std::int64_t(k) * at_mask.feature]);
      weights[k] = score;
      greatest = std::fmax(greatest, score);
    }
    for (std::size_t k = 0; k < sizes.keys; ++k) sum += weights[k] = std::exp(weights[k] - greatest);
    for (std::size_t f = 0; f < sizes.value_features; ++f) {
      double mixed = 0;
      for (std::size_t k = 0; k < sizes.keys; ++k)
        mixed += weights[k] / sum * load(value[std::int64_t(k) * at_value.token + std::int64_t(f) * at_value.feature]);
      result[row * at_result.token + std::int64_t(f) * at_result.feature] = store<T>(mixed);
    }
  }
}

template <typename T>
Kernel typed_attention(const KernelSpec& spec, const OperatorCall& call) {
  const Transposed query(call.shape(0), call.u32_list("queryPermutation"));
  const Transposed key(call.shape(1), call.u32_list("keyPermutation"));
  const Transposed value(call.shape(2), call.u32_list("valuePermutation"));
  const unsigned rank = query.shape.rank();
  const Sizes sizes{query.shape[rank - 2], key.shape[rank - 2], query.shape[rank - 1], value.shape[rank - 1]};

  // Axis i of the output is axis permutation[i] of the result.
  const auto permutation = call.u32_list("outputPermutation");
  const Strides own = row_major_strides(spec.outputs[0].shape);
  Strides result{};
  Shape scores = query.shape;
  for (unsigned i = 0; i < rank; ++i) {
    result[permutation[i]] = own[i];
    scores[permutation[i]] = spec.outputs[0].shape[i];
  }
  scores[rank - 1] = key.shape[rank - 2];
  const Shape batches(scores.sizes().first(rank - 2));
  const Strides mask = call.has_operand(3) ? broadcast_strides(call.shape(3), scores) : Strides{};
  const std::array strides{query.batch_strides(), key.batch_strides(), value.batch_strides(), mask, result};

  DoubleArrays scratch;
  const auto weights = scratch.add(sizes.keys);
  const double scale = parameter<T>(call.real("scale"));
  const auto last = [rank](const Strides& all) { return Steps{all[rank - 2], all[rank - 1]}; };
  const std::array steps{last(query.strides), last(key.strides), last(value.strides), last(mask), last(result)};
  const auto run = [=](const KernelArguments& arguments) {
    const T* masks = optional_input<T>(arguments, 3);
    for_each_offset(batches, strides, [&](const auto& at) {
      attend<T>(sizes, scale, input<T>(arguments, 0) + at[0], steps[0], input<T>(arguments, 1) + at[1], steps[1],
                input<T>(arguments, 2) + at[2], steps[2], masks == nullptr ? nullptr : masks + at[3], steps[3],
                output<T>(arguments) + at[4], steps[4], weights.in(arguments));
    });
  };
  return {run, scratch.bytes()};
}

}  // namespace

Kernel prepare_attention(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  return dispatch(FloatTypes{}, call.operand(0).type, [&]<typename T>() { return typed_attention<T>(spec, call); });
}

constexpr CpuKernel attention_list[] = {
    {.row = {.name = "attention", .op = "@attention"}, .prepare = prepare_attention},
};
extern constexpr CpuKernels attention_kernels(attention_list);

}  // namespace webnn::runtime::reference
