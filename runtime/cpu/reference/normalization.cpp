// batchNormalization, instanceNormalization, layerNormalization: scale * (x - mean) / sqrt(variance + epsilon) + bias.
// @rmsNormalization: the same with the mean of squares for the variance, and 0 for mean and bias.
#include <limits>

#include "runtime/cpu/reference/reference.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

/// Mean and biased variance of some elements.
struct Statistics {
  double mean = 0;
  double variance = 0;
};

/// Of the elements of a tensor of `shape`, reached through `strides` from `from` on. Two passes avoid cancellation.
template <typename T>
Statistics statistics_of(const T* from, const Shape& shape, const Strides& strides) {
  const auto count = double(element_count(shape));
  Statistics result;
  for_each_offset(shape, strides, [&](std::int64_t offset) { result.mean += load(from[offset]); });
  result.mean /= count;
  for_each_offset(shape, strides, [&](std::int64_t offset) {
    const double distance = load(from[offset]) - result.mean;
    result.variance += distance * distance;
  });
  result.variance /= count;
  return result;
}

/// The mean of squares as the variance. Squares beyond the range of float32 are infinite, as where they are computed in
/// float32.
template <typename T>
Statistics squares_of(const T* from, const Shape& shape, const Strides& strides) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), most = std::numeric_limits<float>::max();
  Statistics result;
  for_each_offset(shape, strides, [&](std::int64_t offset) {
    const double square = load(from[offset]) * load(from[offset]);
    result.variance += square > most ? infinity : square;
  });
  result.variance /= double(element_count(shape));
  return result;
}

double normalize(double value, const Statistics& statistics, double epsilon, double scale, double bias) {
  return scale * ((value - statistics.mean) / std::sqrt(statistics.variance + epsilon)) + bias;
}

/// An element of an optional operand.
template <typename T>
double element_or(const T* operand, std::size_t index, double absent) {
  return operand ? load(operand[index]) : absent;
}

/// The operand indices that batchNormalization takes after the input, and (next line) those of the other two operators.
constexpr std::size_t batch_mean = 1, batch_variance = 2, batch_scale = 3, batch_bias = 4;
constexpr std::size_t own_scale = 1, own_bias = 2;

template <typename T>
Kernel prepare_batch(const OperatorCall& call) {
  const AxisView view = view_along(call.shape(0), call.u32("axis"));
  const double epsilon = parameter<T>(call.real("epsilon"));
  return make_kernel([=](const KernelArguments& arguments) {
    const T* from = input<T>(arguments, 0);
    T* to = output<T>(arguments);
    for (std::size_t outer = 0; outer < view.outer; ++outer)
      for (std::size_t channel = 0; channel < view.size; ++channel) {
        const Statistics statistics{load(input<T>(arguments, batch_mean)[channel]),
                                    load(input<T>(arguments, batch_variance)[channel])};
        const double scale = element_or(optional_input<T>(arguments, batch_scale), channel, 1);
        const double bias = element_or(optional_input<T>(arguments, batch_bias), channel, 0);
        for (std::size_t inner = 0; inner < view.inner; ++inner)
          *to++ = store<T>(normalize(load(*from++), statistics, epsilon, scale, bias));
      }
  });
}

template <typename T>
Kernel prepare_instance(const OperatorCall& call) {
  const Shape& shape = call.shape(0);
  const Strides strides = row_major_strides(shape);
  const unsigned channel_axis = call.text("layout") == "nchw" ? 1 : 3;
  const unsigned height_axis = call.text("layout") == "nchw" ? 2 : 1;
  const Shape planes{shape[0], shape[channel_axis]};
  const Strides plane_strides{strides[0], strides[channel_axis]};
  const Shape plane{shape[height_axis], shape[height_axis + 1]};
  const Strides inner{strides[height_axis], strides[height_axis + 1]};
  const double epsilon = parameter<T>(call.real("epsilon"));
  return make_kernel([=](const KernelArguments& arguments) {
    std::size_t number = 0;
    for_each_offset(planes, plane_strides, [&](std::int64_t start) {
      const std::size_t channel = number++ % planes[1];
      const T* from = input<T>(arguments, 0) + start;
      T* to = output<T>(arguments) + start;
      const Statistics statistics = statistics_of(from, plane, inner);
      const double scale = element_or(optional_input<T>(arguments, own_scale), channel, 1);
      const double bias = element_or(optional_input<T>(arguments, own_bias), channel, 0);
      for_each_offset(plane, inner, [&](std::int64_t offset) {
        to[offset] = store<T>(normalize(load(from[offset]), statistics, epsilon, scale, bias));
      });
    });
  });
}

/// Statistics, found by `find`, run over `axes`; `scale` and `bias` have these axes in the order in which the call lists
/// them.
template <typename T, typename Find>
Kernel prepare_layer(const OperatorCall& call, Find find) {
  const Shape& shape = call.shape(0);
  const Strides strides = row_major_strides(shape);
  Shape inner, outer;
  Strides inner_strides{}, outer_strides{};
  const auto axes = call.u32_list("axes");
  for (std::uint32_t axis : axes) {
    inner_strides[inner.rank()] = strides[axis];
    inner.push_back(shape[axis]);
  }
  for (std::uint32_t axis = 0; axis < shape.rank(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) continue;
    outer_strides[outer.rank()] = strides[axis];
    outer.push_back(shape[axis]);
  }
  const double epsilon = parameter<T>(call.real("epsilon"));
  return make_kernel([=](const KernelArguments& arguments) {
    for_each_offset(outer, outer_strides, [&](std::int64_t start) {
      const T* from = input<T>(arguments, 0) + start;
      T* to = output<T>(arguments) + start;
      const Statistics statistics = find(from, inner, inner_strides);
      std::size_t number = 0;
      for_each_offset(inner, inner_strides, [&](std::int64_t offset) {
        const double scale = element_or(optional_input<T>(arguments, own_scale), number, 1);
        const double bias = element_or(optional_input<T>(arguments, own_bias), number, -0.0);  // -0 is neutral
        to[offset] = store<T>(normalize(load(from[offset]), statistics, epsilon, scale, bias));
        ++number;
      });
    });
  });
}

}  // namespace

Kernel prepare_batch_normalization(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  return dispatch(FloatTypes{}, call.operand(0).type, [&]<typename T>() { return prepare_batch<T>(call); });
}

Kernel prepare_instance_normalization(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  return dispatch(FloatTypes{}, call.operand(0).type, [&]<typename T>() { return prepare_instance<T>(call); });
}

Kernel prepare_layer_normalization(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  return dispatch(FloatTypes{}, call.operand(0).type,
                  [&]<typename T>() { return prepare_layer<T>(call, statistics_of<T>); });
}

Kernel prepare_rms_normalization(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  return dispatch(FloatTypes{}, call.operand(0).type,
                  [&]<typename T>() { return prepare_layer<T>(call, squares_of<T>); });
}

constexpr CpuKernel normalization_list[] = {
    {.row = {.name = "batchNormalization", .op = "batchNormalization", .in_place = 0b01},
     .prepare = prepare_batch_normalization},
    {.row = {.name = "instanceNormalization", .op = "instanceNormalization"},
     .prepare = prepare_instance_normalization},
    {.row = {.name = "layerNormalization", .op = "layerNormalization"}, .prepare = prepare_layer_normalization},
    {.row = {.name = "rmsNormalization", .op = "@rmsNormalization"}, .prepare = prepare_rms_normalization},
};
extern constexpr CpuKernels normalization_kernels(normalization_list);

}  // namespace webnn::runtime::reference
