// What matrix units multiply at once, and what kernels for them demand of it. Tiles are made for all such fragments, for a
// compiled program does not know which one its device has.
#pragma once

#include <cstdint>

namespace webnn::runtime::vulkan {

/// What a subgroup's matrix units multiply at once: rows x inner by inner x columns elements of float16, with sums in
/// float32.
struct Fragment {
  std::uint32_t rows = 0, columns = 0, inner = 0;
  bool operator==(const Fragment&) const = default;
};

/// Tiles lie in shared memory in vectors of eight elements (shaders/products/units.glsl).
inline constexpr std::uint32_t least_side_of_fragment = 8;
/// The part of a tile that a subgroup multiplies has multiples of so many rows and columns.
inline constexpr std::uint32_t side_of_part = 32;
/// A tile's depth is a multiple of its `inner`, and shared memory has place for its rows of sums.
inline constexpr Fragment largest_fragment{16, 32, 16};

/// Whether the parts and the depths of all tiles are made of such fragments.
constexpr bool fits_tiles(const Fragment& fragment) {
  const auto fits = [](std::uint32_t side, std::uint32_t most, std::uint32_t whole) {
    return side >= least_side_of_fragment && side <= most && whole % side == 0;
  };
  return fits(fragment.rows, largest_fragment.rows, side_of_part) &&
         fits(fragment.columns, largest_fragment.columns, side_of_part) &&
         fits(fragment.inner, largest_fragment.inner, largest_fragment.inner);
}

}  // namespace webnn::runtime::vulkan
