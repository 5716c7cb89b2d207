#include "runtime/cpu/simd/product/window_rows.hpp"

#include <algorithm>

namespace webnn::runtime::simd {
namespace {

/// An output pixel by its index.
struct OutputPixel {
  std::int64_t image, row, column;
  OutputPixel(const ProductWindows& windows, std::size_t index)
      : image(std::int64_t(index) / windows.horizontal.output / windows.vertical.output),
        row(std::int64_t(index) / windows.horizontal.output % windows.vertical.output),
        column(std::int64_t(index) % windows.horizontal.output) {}

  /// Up to `count`: the pixels from this one to the end of its row.
  std::size_t pixels(const ProductWindows& windows, std::size_t count) const {
    return std::min(std::size_t(windows.horizontal.output - column), count);
  }
};

/// The floats of a line that the windows of `pixels` neighbouring pixels see.
std::size_t line_length(const ProductWindows& windows, std::size_t pixels) {
  return (pixels - 1) * std::size_t(windows.horizontal.stride) + std::size_t(windows.horizontal.window);
}

}  // namespace

bool SeenRows::has_room_for(const ProductWindows& windows) {
  return windows.taps() * windows.depth() <= most_addresses && windows.horizontal.dilation == 1 &&
         line_length(windows, std::size_t(windows.horizontal.output)) <= most_copied / windows.taps();
}

void SeenRows::find(const ProductWindows& windows, const float* x, const float* zeros, bool apart, std::size_t first,
                    std::size_t count) {
  taps_ = windows.taps();
  depth_ = windows.depth();
  address_step_ = tap_step_ = row_step_ = 0;
  if (!windows.is_planar) return find_pixels(windows, x, zeros, first, std::min(count, most_addresses / taps_));
  if (apart) return find_elements(windows, x, zeros, first);
  copy_lines(windows, x, first, OutputPixel(windows, first).pixels(windows, count));
}

/// Pixels of one row of the output see pixels at equal distances: a window's address is computed once for all of them.
void SeenRows::find_pixels(const ProductWindows& windows, const float* x, const float* zeros, std::size_t first,
                           std::size_t count) {
  rows_ = address_step_ = count;
  const schema::SlidingWindow &vertical = windows.vertical, &horizontal = windows.horizontal;
  const std::int64_t channels = std::int64_t(windows.channels), stride = horizontal.stride;
  for (std::size_t done = 0; done < count;) {
    const OutputPixel pixel(windows, first + done);
    const auto pixels = std::int64_t(pixel.pixels(windows, count - done));
    const float** to = addresses_.data() + done;
    std::int64_t y = pixel.row * vertical.stride - vertical.begin;
    for (std::int64_t r = 0; r < vertical.window; ++r, y += vertical.dilation) {
      const bool is_inside = y >= 0 && y < vertical.input;
      const float* const line = x + (pixel.image * vertical.input + (is_inside ? y : 0)) * horizontal.input * channels;
      std::int64_t at = pixel.column * stride - horizontal.begin;
      for (std::int64_t c = 0; c < horizontal.window; ++c, at += horizontal.dilation, to += count) {
        // Pixels [begin, end) see a pixel of the image.
        const std::int64_t begin = std::clamp<std::int64_t>(at < 0 ? (stride - 1 - at) / stride : 0, 0, pixels);
        const bool sees_any = is_inside && at < horizontal.input;
        const std::int64_t end = sees_any ? std::clamp((horizontal.input - 1 - at) / stride + 1, begin, pixels) : begin;
        std::fill(to, to + begin, zeros);
        for (std::int64_t i = begin; i < end; ++i) to[i] = line + (at + i * stride) * channels;
        std::fill(to + end, to + pixels, zeros);
      }
    }
    done += std::size_t(pixels);
  }
}

/// One row, whose taps are single elements.
void SeenRows::find_elements(const ProductWindows& windows, const float* x, const float* zeros, std::size_t first) {
  rows_ = address_step_ = 1;
  taps_ = windows.taps() * windows.depth();
  depth_ = 1;
  const schema::SlidingWindow &vertical = windows.vertical, &horizontal = windows.horizontal;
  const OutputPixel pixel(windows, first);
  const float** to = addresses_.data();
  for (std::size_t channel = 0; channel < windows.channels; ++channel) {
    const float* const plane =
        x + (pixel.image * std::int64_t(windows.channels) + std::int64_t(channel)) * vertical.input * horizontal.input;
    for (std::int64_t r = 0; r < vertical.window; ++r)
      for (std::int64_t c = 0; c < horizontal.window; ++c) {
        const std::int64_t y = pixel.row * vertical.stride - vertical.begin + r * vertical.dilation;
        const std::int64_t at = pixel.column * horizontal.stride - horizontal.begin + c;
        const bool is_inside = y >= 0 && y < vertical.input && at >= 0 && at < horizontal.input;
        *to++ = is_inside ? plane + y * horizontal.input + at : zeros;
      }
  }
}

/// Neighbouring pixels of a row of the output. The lines that the next row sees for the first time are fetched meanwhile:
/// the image of a network is in no cache.
void SeenRows::copy_lines(const ProductWindows& windows, const float* x, std::size_t first, std::size_t count) {
  rows_ = count;
  row_step_ = std::size_t(windows.horizontal.stride);
  const schema::SlidingWindow &vertical = windows.vertical, &horizontal = windows.horizontal;
  const OutputPixel pixel(windows, first);
  const auto length = std::int64_t(line_length(windows, count));
  const std::int64_t left = pixel.column * horizontal.stride - horizontal.begin;
  // Floats [begin, end) of a line are pixels of the image.
  const std::int64_t begin = std::clamp<std::int64_t>(-left, 0, length),
                     end = std::clamp(horizontal.input - left, begin, length);
  float* to = copied_.data();
  addresses_[0] = to;
  tap_step_ = std::size_t(length);
  for (std::size_t channel = 0; channel < windows.channels; ++channel) {
    const float* const plane =
        x + (pixel.image * std::int64_t(windows.channels) + std::int64_t(channel)) * vertical.input * horizontal.input;
    std::int64_t y = pixel.row * vertical.stride - vertical.begin;
    for (std::int64_t r = 0; r < vertical.window; ++r, y += vertical.dilation, to += length) {
      const std::int64_t stop = y >= 0 && y < vertical.input ? end : begin;
      std::fill(to, to + begin, 0.0f);
      if (stop > begin) std::copy_n(plane + (y * horizontal.input + left + begin), stop - begin, to + begin);
      std::fill(to + stop, to + length, 0.0f);
      const std::int64_t later = y + vertical.stride;
      if (r + vertical.stride < vertical.window || later < 0 || later >= vertical.input) continue;
      constexpr std::int64_t floats_of_line = 64 / sizeof(float);
      for (std::int64_t i = begin; i < end; i += floats_of_line)
        __builtin_prefetch(plane + (later * horizontal.input + left + i));
    }
  }
}

}  // namespace webnn::runtime::simd
