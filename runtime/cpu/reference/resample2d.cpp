// resample2d: pixel centres are at half coordinates, so output o is at c = (o + 1/2) * in / out - 1/2, clamped to the
// input. The coordinate is kept as a fraction of integers, so that rounding never decides which element is nearest.
#include <algorithm>

#include "runtime/cpu/reference/reference.hpp"
#include "runtime/kernel.hpp"
#include "schema/elements/memory_account.hpp"

namespace webnn::runtime::reference {
namespace {

/// The source of one output coordinate along an axis: (1 - weight) * [low] + weight * [high]; offsets in elements.
struct Sample {
  std::int64_t low = 0;
  std::int64_t high = 0;
  double weight = 0;
};
using Samples = CountedVector<Sample>;

/// c = numerator / denominator.
struct Coordinate {
  std::int64_t numerator, denominator;
};
Coordinate coordinate(std::int64_t output, std::int64_t input_size, std::int64_t output_size) {
  const std::int64_t denominator = 2 * output_size;
  const std::int64_t numerator = (2 * output + 1) * input_size - output_size;
  return {std::clamp<std::int64_t>(numerator, 0, denominator * (input_size - 1)), denominator};
}

/// ceil(c - 1/2): the first of two equally near elements.
Sample nearest(const Coordinate& c) {
  const std::int64_t index = (c.numerator + c.denominator / 2 - 1) / c.denominator;
  return {index, index, 0};
}

Sample linear(const Coordinate& c) {
  const std::int64_t low = c.numerator / c.denominator;
  const std::int64_t rest = c.numerator % c.denominator;
  return {low, low + (rest != 0), double(rest) / double(c.denominator)};
}

Samples samples_of(std::int64_t input_size, std::int64_t output_size, std::int64_t stride,
                   Sample (*sample)(const Coordinate&)) {
  Samples samples;
  for (std::int64_t i = 0; i < output_size; ++i) {
    const Sample s = sample(coordinate(i, input_size, output_size));
    samples.push_back({s.low * stride, s.high * stride, s.weight});
  }
  return samples;
}

/// Linear interpolation that does not read elements with weight 0: a position exactly on a finite element stays finite
/// next to an infinite one.
double blend(double low, double high, double weight) { return weight == 0 ? low : low * (1 - weight) + high * weight; }

template <typename T>
T rounded(double value) {
  if constexpr (is_real<T>)
    return store<T>(value);
  else
    return T(std::nearbyint(value));
}

}  // namespace

Kernel prepare_resample2d(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const Shape& from_shape = call.shape(0);
  const Shape& to_shape = spec.outputs[0].shape;
  const Strides from_strides = row_major_strides(from_shape);
  const Strides to_strides = row_major_strides(to_shape);
  const auto axes = call.u32_list("axes");
  const auto sample = call.text("mode") == "linear" ? linear : nearest;

  // The two resampled axes, in the order of the call, and the two others.
  std::array<Samples, 2> samples;
  for (unsigned i = 0; i < 2; ++i)
    samples[i] = samples_of(from_shape[axes[i]], to_shape[axes[i]], from_strides[axes[i]], sample);
  const std::array<std::int64_t, 2> steps{to_strides[axes[0]], to_strides[axes[1]]};
  Shape others;
  std::array<Strides, 2> other_strides{};
  for (std::uint32_t axis = 0; axis < from_shape.rank(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) continue;
    other_strides[0][others.rank()] = from_strides[axis];
    other_strides[1][others.rank()] = to_strides[axis];
    others.push_back(from_shape[axis]);
  }

  using Resampled = TypeList<float, Half, double, std::uint8_t, std::int8_t>;
  return dispatch(Resampled{}, call.operand(0).type, [&]<typename T>() {
    return make_kernel([=](const KernelArguments& arguments) {
      for_each_offset(others, other_strides, [&](const auto& offsets) {
        const T* from = input<T>(arguments, 0) + offsets[0];
        T* to = output<T>(arguments) + offsets[1];
        const auto value = [&](std::int64_t offset) { return double(load(from[offset])); };
        for (std::size_t i = 0; i < samples[0].size(); ++i)
          for (std::size_t j = 0; j < samples[1].size(); ++j) {
            const Sample& y = samples[0][i];
            const Sample& x = samples[1][j];
            const double low = blend(value(y.low + x.low), value(y.low + x.high), x.weight);
            const double high = blend(value(y.high + x.low), value(y.high + x.high), x.weight);
            to[std::int64_t(i) * steps[0] + std::int64_t(j) * steps[1]] = rounded<T>(blend(low, high, y.weight));
          }
      });
    });
  });
}

constexpr CpuKernel resample2d_list[] = {
    {.row = {.name = "resample2d", .op = "resample2d"}, .prepare = prepare_resample2d},
};
extern constexpr CpuKernels resample2d_kernels(resample2d_list);

}  // namespace webnn::runtime::reference
