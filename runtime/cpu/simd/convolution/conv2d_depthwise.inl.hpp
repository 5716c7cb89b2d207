// Depthwise convolution for one instruction set; included by conv2d_depthwise.cpp. Channels fill the vectors.
#include <cstddef>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/convolution/conv2d_depthwise.hpp"
#include "schema/round_up.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace depthwise {

/// The maximum number of output pixels summed at once: their sums, a row of the window and an input pixel fit in the
/// registers. Each input pixel is read once for all windows that see it.
inline constexpr std::size_t most_pixels = 8;

/// What a block of pixels requires of the code.
enum class Case {
  inside,  // nothing special: all windows are inside the row
  edge,    // some columns are padding
  tail,    // the same, and the last vector is partial
};

/// Whether a block processes a row tap by tap, which keeps its input pixels in registers. Pixel by pixel, the
/// multiply-adds of one output pixel would form a dependent chain.
template <std::size_t window, std::size_t seen, std::size_t pixels>
inline constexpr bool by_taps = window == 3 && window + seen + pixels <= VECTOR_REGISTERS - 1;

/// Whether an input pixel of a block may be padding at all: every window sees a pixel of the image (takes_depthwise).
template <std::size_t window, std::size_t seen>
constexpr bool may_be_padding(std::size_t item) {
  return item + 1 < window || item + window > seen;
}

/// The sums of one block of pixels for one vector of channels, of which `count` are used.
template <std::size_t window, std::size_t stride, std::size_t pixels, Case what>
HWY_INLINE void sum_vector(const DepthwiseStrip& strip, std::size_t first, const float* x, const float* weights,
                           const float* bias, float* y, std::size_t count) {
  constexpr std::size_t seen = (pixels - 1) * stride + window;
  const std::size_t begin = first * stride - strip.left;  // wraps when negative
  V sums[pixels];
  const auto read = [&](const float* from) {
    if constexpr (what == Case::tail) return load_first(from, count, hn::Zero(Float()));
    return load(from);
  };
  const V start = bias == nullptr ? hn::Zero(Float()) : read(bias);
  HWY_UNROLL(8)
  for (std::size_t pixel = 0; pixel < pixels; ++pixel) sums[pixel] = start;
  for (std::size_t rows = strip.rows; rows > 0; --rows, x += strip.row_step, weights += window * lanes()) {
    V taps[window];
    HWY_UNROLL(5)
    for (std::size_t tap = 0; tap < window; ++tap) taps[tap] = load(weights + tap * lanes());
    if (by_taps<window, seen, pixels> && (what == Case::inside || strip.finite_weights)) {
      V items[seen];
      HWY_UNROLL(20)
      for (std::size_t i = 0; i < seen; ++i) {
        const float* const item = x + i * strip.pixel_step;
        const bool is_padding = what != Case::inside && may_be_padding<window, seen>(i) && begin + i >= strip.width;
        items[i] = in_register(is_padding ? hn::Zero(Float()) : read(item));
      }
      HWY_UNROLL(5)
      for (std::size_t tap = 0; tap < window; ++tap) {
        HWY_UNROLL(8)
        for (std::size_t pixel = 0; pixel < pixels; ++pixel)
          sums[pixel] = hn::MulAdd(items[pixel * stride + tap], taps[tap], sums[pixel]);
      }
      continue;
    }
    const float* from = x;
    HWY_UNROLL(20)
    for (std::size_t i = 0; i < seen; ++i, from += strip.pixel_step) {
      const bool is_padding = what != Case::inside && may_be_padding<window, seen>(i) && begin + i >= strip.width;
      if (is_padding) continue;  // a product with zero may be NaN
      const V item = in_register(read(from));
      HWY_UNROLL(8)
      for (std::size_t pixel = 0; pixel < pixels; ++pixel)
        if (i >= pixel * stride && i < pixel * stride + window)
          sums[pixel] = hn::MulAdd(item, taps[i - pixel * stride], sums[pixel]);
    }
  }
  // Read once: the compiler takes stores for changes of `strip`.
  const V low = set(strip.low), high = set(strip.high);
  const std::size_t pixel_step = strip.pixel_step;
  HWY_UNROLL(8)
  for (std::size_t pixel = 0; pixel < pixels; ++pixel, y += pixel_step) {
    const V result = clamp(sums[pixel], low, high);
    if constexpr (what == Case::tail) {
      store_first(result, y, count);
    } else {
      store(result, y);
    }
  }
}

template <std::size_t window, std::size_t stride, std::size_t pixels>
void sum_block(const DepthwiseStrip& strip, std::size_t first) {
  const float* x =
      strip.x + (std::ptrdiff_t(first * stride) - std::ptrdiff_t(strip.left)) * std::ptrdiff_t(strip.pixel_step);
  float* y = strip.y + first * strip.pixel_step;
  const float *weights = strip.weights, *bias = strip.bias;
  const bool inside =
      first * stride >= strip.left && (first + pixels - 1) * stride + window <= strip.width + strip.left;
  std::size_t channel = 0;
  const auto next = [&] {
    channel += lanes();
    x += lanes();
    y += lanes();
    weights += strip.vector_step;
    if (bias != nullptr) bias += lanes();
  };
  for (; channel + lanes() <= strip.channels; next())
    if (inside) {
      sum_vector<window, stride, pixels, Case::inside>(strip, first, x, weights, bias, y, lanes());
    } else {
      sum_vector<window, stride, pixels, Case::edge>(strip, first, x, weights, bias, y, lanes());
    }
  if (channel < strip.channels)
    sum_vector<window, stride, pixels, Case::tail>(strip, first, x, weights, bias, y, strip.channels - channel);
}

using SumBlock = void(const DepthwiseStrip& strip, std::size_t first);
/// sum_block, indexed by the number of pixels.
template <std::size_t window, std::size_t stride>
inline constexpr SumBlock* by_pixels[] = {
    nullptr,
    sum_block<window, stride, 1>,
    sum_block<window, stride, 2>,
    sum_block<window, stride, 3>,
    sum_block<window, stride, 4>,
    sum_block<window, stride, 5>,
    sum_block<window, stride, 6>,
    sum_block<window, stride, 7>,
    sum_block<window, stride, 8>,
};
static_assert(sizeof(by_pixels<3, 1>) / sizeof(SumBlock*) == most_pixels + 1);

/// Computes a strip in as few blocks of pixels as possible, of nearly equal size.
template <std::size_t window, std::size_t stride>
void convolve(const DepthwiseStrip& strip) {
  const std::size_t blocks = schema::div_up(strip.pixels, most_pixels);
  std::size_t begin = 0;
  for (std::size_t block = 1; block <= blocks; ++block) {
    const std::size_t end = strip.pixels * block / blocks;
    by_pixels<window, stride>[end - begin](strip, strip.first + begin);
    begin = end;
  }
}

/// The code for windows of 3 or 5 columns with a stride of 1 or 2.
inline DepthwiseFunctions functions(std::size_t window, std::size_t stride) {
  if (window == 3) return {lanes(), most_pixels, stride == 1 ? convolve<3, 1> : convolve<3, 2>};
  return {lanes(), most_pixels, stride == 1 ? convolve<5, 1> : convolve<5, 2>};
}

}  // namespace depthwise
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
