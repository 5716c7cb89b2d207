// resample2d: of float32, and of any type where it copies the nearest elements. Pixel centres are at half coordinates,
// so output o is at c = (o + 1/2) * in / out - 1/2, clamped to the input. The coordinate is kept as a fraction of
// integers, so that rounding never decides which element is nearest.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/movement/resample2d.inl.hpp"
#include "runtime/cpu/simd/movement/resample2d.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/memory_order.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/memory_account.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {
namespace {

/// The samples of an axis whose elements are `stride` apart.
CountedVector<Sample> samples_of(std::int64_t input, std::int64_t output, std::int64_t stride, bool linear) {
  CountedVector<Sample> samples;
  const std::int64_t denominator = 2 * output;
  for (std::int64_t i = 0; i < output; ++i) {
    const std::int64_t numerator = std::clamp<std::int64_t>((2 * i + 1) * input - output, 0, denominator * (input - 1));
    if (linear) {
      const std::int64_t low = numerator / denominator, rest = numerator % denominator;
      samples.push_back({low * stride, (low + (rest != 0)) * stride, float(double(rest) / double(denominator))});
    } else {  // ceil(c - 1/2): the first of two equally near elements
      const std::int64_t nearest = (numerator + output - 1) / denominator * stride;
      samples.push_back({nearest, nearest, 0});
    }
  }
  return samples;
}

/// The two axes are neighbours in memory: a tensor [outer, height, width, channels], with at least one channel.
struct Resampling {
  CountedVector<Sample> rows, columns;  // of the output
  std::size_t outer, plane;             // number of images, and elements of one
  std::size_t height, width, channels;

  explicit Resampling(const KernelSpec& spec) {
    const SpecCall call(spec);
    const Layout layout = common_layout(spec);
    const Shape from = shape_in_memory(call.shape(0), layout), to = shape_in_memory(spec.outputs[0].shape, layout);
    const auto axes = call.u32_list("axes");
    const unsigned vertical = axis_in_memory(std::min(axes[0], axes[1]), from.rank(), layout);
    const bool linear = call.text("mode") == "linear";
    channels = view_along(from, vertical + 1).inner;
    outer = view_along(from, vertical).outer;
    height = to[vertical];
    width = to[vertical + 1];
    const std::int64_t row = std::int64_t(from[vertical + 1]) * std::int64_t(channels);
    plane = from[vertical] * std::size_t(row);
    rows = samples_of(from[vertical], to[vertical], row, linear);
    columns = samples_of(from[vertical + 1], to[vertical + 1], std::int64_t(channels), linear);
  }
  std::size_t grain() const { return 1 + 10'000 / (width * channels); }
};

/// Copies pixels of `bytes` bytes each; small sizes are compile-time constants.
void copy_pixels(const std::byte* row, const CountedVector<Sample>& columns, std::size_t element, std::size_t bytes,
                 std::byte* to) {
  const auto copy = [&](auto size) {
    for (const Sample& sample : columns) {
      std::memcpy(to, row + std::size_t(sample.low) * element, size);
      to += std::size_t(size);
    }
  };
  switch (bytes) {
    case 1:
      return copy(std::integral_constant<std::size_t, 1>());
    case 2:
      return copy(std::integral_constant<std::size_t, 2>());
    case 4:
      return copy(std::integral_constant<std::size_t, 4>());
    default:
      return copy(bytes);
  }
}

}  // namespace

Kernel prepare_nearest_pixels(const KernelSpec& spec, Constants) {
  const std::size_t element = element_bytes(spec.outputs[0].type);
  return {[=, resampling = Resampling(spec)](const KernelArguments& arguments) {
    const std::size_t height = resampling.height, pixel = resampling.channels * element;
    const std::size_t line = resampling.width * pixel;
    parallel_for(resampling.outer * height, resampling.grain(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t row = i % height, first = std::size_t(resampling.rows[row].low);
        std::byte* const to = arguments.outputs[0] + i * line;
        if (i > begin && row > 0 && resampling.rows[row - 1].low == resampling.rows[row].low) {
          std::memcpy(to, to - line, line);
          continue;
        }
        copy_pixels(arguments.inputs[0] + (i / height * resampling.plane + first) * element, resampling.columns,
                    element, pixel, to);
      }
    });
  }};
}

Kernel prepare_resample2d(const KernelSpec& spec, Constants, Isa isa) {
  const Resampling resampling(spec);
  const auto resample =
      resampling.channels == 1 ? VECTOR_CODE(isa, resample_elements) : VECTOR_CODE(isa, resample_pixels);
  return {[=](const KernelArguments& arguments) {
    const auto* x = reinterpret_cast<const float*>(arguments.inputs[0]);
    auto* y = reinterpret_cast<float*>(arguments.outputs[0]);
    const std::size_t height = resampling.height, width = resampling.width, channels = resampling.channels;
    parallel_for(resampling.outer * height, resampling.grain(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Sample& sample = resampling.rows[i % height];
        const float* image = x + i / height * resampling.plane;
        resample(image + sample.low, image + sample.high, sample.weight, resampling.columns.data(), width, channels,
                 y + i * width * channels);
      }
    });
  }};
}

namespace {

bool resamples_neighbours(const KernelSpec& spec) {
  const auto axes = SpecCall(spec).u32_list("axes");
  return axes[0] + 1 == axes[1] || axes[1] + 1 == axes[0];
}

/// Nearest-neighbour resampling over the last two axes: it only copies elements.
bool resamples_nearest(const KernelSpec& spec) {
  return SpecCall(spec).text("mode") == "nearest-neighbor" && resamples_height_and_width(spec);
}

}  // namespace

constexpr SimdKernel resample2d_list[] = {
    {.row = {.name = "resample2d",
             .op = "resample2d",
             .types = {DataType::float32},
             .layouts = LayoutRule::uniform,
             .can = resamples_height_and_width},
     .prepare = prepare_resample2d},
    {.row = {.name = "resample2d.rowMajor",
             .op = "resample2d",
             .types = {DataType::float32},
             .can = resamples_neighbours,
             .factor = 1.1},
     .prepare = prepare_resample2d},
};
extern constexpr SimdKernels resample2d_kernels(resample2d_list);

constexpr CpuKernel nearest_pixels_list[] = {
    {.row = {.name = "resample2d",
             .op = "resample2d",
             .types = whole_bytes,
             .layouts = LayoutRule::uniform,
             .can = resamples_nearest,
             .factor = 2},
     .prepare = prepare_nearest_pixels},
};
extern constexpr CpuKernels nearest_pixels_kernels(nearest_pixels_list);

}  // namespace webnn::runtime::simd
