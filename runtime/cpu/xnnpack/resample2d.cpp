// resample2d of channels-last float32, linear.
//
// XNNPACK multiplies neighbours with weight 0 too, which turns an infinity into a NaN; so plain loops compute calls
// whose input is not finite.
#include <algorithm>
#include <bit>
#include <limits>

#include "runtime/cpu/xnnpack/keep_nan.hpp"
#include "runtime/cpu/xnnpack/limits.hpp"
#include "runtime/cpu/xnnpack/operator.hpp"
#include "runtime/cpu_kernel.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::xnnpack {
namespace {

/// The source of one coordinate: (1 - weight) * [low] + weight * [high]; pixel centres are at half coordinates.
struct Sample {
  std::int64_t low, high;
  double weight;

  Sample(std::int64_t position, std::int64_t input, std::int64_t output) {
    const std::int64_t denominator = 2 * output;
    const std::int64_t numerator =
        std::clamp<std::int64_t>((2 * position + 1) * input - output, 0, denominator * (input - 1));
    low = numerator / denominator;
    high = low + (numerator % denominator != 0);
    weight = double(numerator % denominator) / double(denominator);
  }
};

double blend(double low, double high, double weight) { return weight == 0 ? low : low * (1 - weight) + high * weight; }

Plain plain_resampling(const Shape& from, const Shape& to) {
  return [from, to](const KernelArguments& arguments) {
    const std::int64_t channels = from[1], height = from[2], width = from[3], rows = to[2], columns = to[3];
    parallel_for(std::size_t(from[0]) * to[2], 1, [&](std::size_t begin, std::size_t end) {
      for (auto line = std::int64_t(begin); line < std::int64_t(end); ++line) {
        const float* const image = input<float>(arguments) + line / rows * height * width * channels;
        const Sample y(line % rows, height, rows);
        for (std::int64_t column = 0; column < columns; ++column) {
          const Sample x(column, width, columns);
          for (std::int64_t channel = 0; channel < channels; ++channel) {
            const auto along = [&](std::int64_t row) {
              const float* const at = image + row * width * channels + channel;
              return blend(at[x.low * channels], at[x.high * channels], x.weight);
            };
            output<float>(arguments)[(line * columns + column) * channels + channel] =
                float(blend(along(y.low), along(y.high), y.weight));
          }
        }
      }
    });
  };
}

}  // namespace

Kernel prepare_resample2d(const KernelSpec& spec, Constants) {
  const Shape from = spec.inputs[0]->shape, to = spec.outputs[0].shape;
  const std::size_t channels = from[1];
  const Operator op = create_operator(
      spec, [&](auto* made) { return xnn_create_resize_bilinear2d_nhwc_f32(channels, channels, channels, 0, made); });
  const auto setup = [from, to](auto* set, const auto& at) {
    return xnn_setup_resize_bilinear2d_nhwc_f32(set, from[0], from[2], from[3], to[2], to[3], input<float>(at),
                                                output<float>(at), nullptr);
  };
  constexpr float safe = std::numeric_limits<float>::max() / 4;
  return where_small(safe, element_count(from), kernel_of(spec, op, setup), plain_resampling(from, to));
}

namespace {

/// XNNPACK computes pixel coordinates in float32; weights are their fractions. They are exact where the ratio of the sizes
/// is an integer or a power of two, and have at least 18 bits up to 64 pixels.
bool has_exact_weights(std::uint32_t from, std::uint32_t to) {
  constexpr std::uint32_t most_pixels = 64, most_exact = 1u << 22;
  const std::uint32_t most = std::max(from, to);
  const bool is_exact_ratio = from % to == 0 || (to % from == 0 && std::has_single_bit(to / from));
  return most <= most_pixels || (most <= most_exact && is_exact_ratio);
}

/// Linear interpolation over height and width.
bool takes_resample(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape &input = call.shape(0), &output = spec.outputs[0].shape;
  for (unsigned axis = 2; axis < 4; ++axis)
    if (input[axis] != 0 && output[axis] != 0 && !has_exact_weights(input[axis], output[axis])) return false;
  return call.text("mode") == "linear" && resamples_height_and_width(spec);
}

}  // namespace

constexpr CpuKernel resample2d_list[] = {
    {.row = {.name = "resample2d",
             .op = "resample2d",
             .types = {DataType::float32},
             .layouts = LayoutRule::channels_last,
             .overreads = 0b01,
             .can = takes_resample,
             .factor = library_factor},
     .prepare = prepare_resample2d},
};
extern constexpr CpuKernels resample2d_kernels(resample2d_list);

}  // namespace webnn::runtime::xnnpack
