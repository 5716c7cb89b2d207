// The rows of a product that a convolution is: what its windows see, as addresses of pixels or of copied lines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {

/// The windows of a convolution on channels-last images, or on planar (row-major) ones.
///
/// On channels-last images a tap of the product is an element of the window, and its products are the channels. On planar
/// ones a tap is a line of the window in one channel, or two of them, and its products are the elements of that line.
struct ProductWindows {
  schema::SlidingWindow vertical, horizontal;
  std::size_t channels = 1;
  bool is_planar = false;
  std::size_t lines_of_tap = 1;  // on planar images: 2 when the elements of two lines, or of one and zeros, alternate

  std::size_t lines() const { return std::size_t(vertical.window) * channels; }
  std::size_t taps() const {
    return is_planar ? schema::div_up(lines(), lines_of_tap)
                     : std::size_t(vertical.window) * std::size_t(horizontal.window);
  }
  std::size_t depth() const { return is_planar ? std::size_t(horizontal.window) * lines_of_tap : channels; }
};

/// to[2 * i] = a[i] and to[2 * i + 1] = b[i]; null: zeros.
using JoinLines = void(const float* a, const float* b, std::size_t count, float* to);

/// What some windows see: rows, one for each output pixel, which are the left side of a product (see PanelRun).
class SeenRows {
 public:
  static constexpr std::size_t most_addresses = 2048, most_copied = 12 * 1024;

  /// Whether there is room for what a row of the output sees on planar images. Without horizontal dilation.
  static bool has_room_for(const ProductWindows& windows);

  /// Finds the rows of at most `count` output pixels from `first` on; `rows()` says how many. `zeros` stands for padding:
  /// as many zeros as a tap has products. If `apart`, all padding has that address, and otherwise some of it may be
  /// zeros among pixels. `join` is for taps of two lines, which are not found apart.
  void find(const ProductWindows& windows, const float* x, const float* zeros, bool apart, JoinLines* join,
            std::size_t first, std::size_t count);

  std::size_t rows() const { return rows_; }
  std::size_t taps() const { return taps_; }
  std::size_t depth() const { return depth_; }
  const float* const* addresses() const { return addresses_.data(); }
  std::size_t address_step() const { return address_step_; }
  std::size_t tap_step() const { return tap_step_; }
  std::size_t row_step() const { return row_step_; }

 private:
  void find_pixels(const ProductWindows& windows, const float* x, const float* zeros, std::size_t first,
                   std::size_t count);
  void find_elements(const ProductWindows& windows, const float* x, const float* zeros, std::size_t first);
  void copy_lines(const ProductWindows& windows, const float* x, JoinLines* join, std::size_t first, std::size_t count);

  std::size_t rows_ = 0, taps_ = 0, depth_ = 0, address_step_ = 0, tap_step_ = 0, row_step_ = 0;
  std::array<const float*, most_addresses> addresses_;
  std::array<float, most_copied> copied_;  // lines of a planar image, with padding
};

}  // namespace webnn::runtime::simd
