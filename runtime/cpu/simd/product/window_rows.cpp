#include "runtime/cpu/simd/product/window_rows.hpp"

#include <algorithm>

#include "schema/round_up.hpp"

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
  const std::size_t lines = round_up(windows.lines(), 2);  // also in pairs
  return lines * std::size_t(windows.horizontal.window) <= most_addresses && windows.horizontal.dilation == 1 &&
         line_length(windows, std::size_t(windows.horizontal.output)) <= most_copied / lines;
}

void SeenRows::find(const ProductWindows& windows, const float* x, const float* zeros, bool apart, JoinLines* join,
                    std::size_t first, std::size_t count) {
  taps_ = windows.taps();
  depth_ = windows.depth();
  address_step_ = tap_step_ = row_step_ = 0;
  if (!windows.is_planar) return find_pixels(windows, x, zeros, first, std::min(count, most_addresses / taps_));
  if (apart) return find_elements(windows, x, zeros, first);
  copy_lines(windows, x, join, first, OutputPixel(windows, first).pixels(windows, count));
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
void SeenRows::copy_lines(const ProductWindows& windows, const float* x, JoinLines* join, std::size_t first,
                          std::size_t count) {
  const std::size_t together = windows.lines_of_tap;
  const schema::SlidingWindow &vertical = windows.vertical, &horizontal = windows.horizontal;
  const OutputPixel pixel(windows, first);
  const std::size_t length = line_length(windows, count);
  rows_ = count;
  row_step_ = std::size_t(horizontal.stride) * together;
  tap_step_ = length * together;
  addresses_[0] = copied_.data();
  const std::int64_t left = pixel.column * horizontal.stride - horizontal.begin;
  // Floats [begin, end) of a line are pixels of the image.
  const std::int64_t begin = std::clamp<std::int64_t>(-left, 0, std::int64_t(length)),
                     end = std::clamp(horizontal.input - left, begin, std::int64_t(length));
  const std::size_t inside = std::size_t(end - begin);
  const auto channels = std::int64_t(windows.channels), top = pixel.row * vertical.stride - vertical.begin;
  // The pixels that line `r` of a window sees in a channel, `lower` rows of the image lower; null: padding alone.
  const auto pixels_of = [&](std::int64_t channel, std::int64_t r, std::int64_t lower) -> const float* {
    const std::int64_t y = top + r * vertical.dilation + lower;
    if (channel >= channels || inside == 0 || y < 0 || y >= vertical.input) return nullptr;
    return x + ((pixel.image * channels + channel) * vertical.input + y) * horizontal.input + left + begin;
  };
  std::int64_t channel = 0, r = 0;
  const auto next_line = [&] {
    const float* const pixels = pixels_of(channel, r, 0);
    if (++r == vertical.window) {
      r = 0;
      ++channel;
    }
    return pixels;
  };
  float* to = copied_.data();
  for (std::size_t line = 0; line < windows.lines(); line += together, to += tap_step_) {
    float* const from = to + std::size_t(begin) * together;
    float* const stop = from + inside * together;
    std::fill(to, from, 0.0f);
    const float* const pixels = next_line();
    if (together == 2) {
      join(pixels, next_line(), inside, from);
    } else if (pixels != nullptr) {
      std::copy_n(pixels, inside, from);
    } else {
      std::fill(from, stop, 0.0f);
    }
    std::fill(stop, to + tap_step_, 0.0f);
  }
  constexpr std::size_t floats_of_line = 64 / sizeof(float);
  for (channel = 0; channel < channels; ++channel)
    for (r = std::max<std::int64_t>(vertical.window - vertical.stride, 0); r < vertical.window; ++r) {
      const float* const next = pixels_of(channel, r, vertical.stride);
      for (std::size_t i = 0; next != nullptr && i < inside; i += floats_of_line) __builtin_prefetch(next + i);
    }
}

}  // namespace webnn::runtime::simd
