// Where a tile of Winograd's convolution is, for one instruction set.
#include <cstddef>
#include <hwy/highway.h>

#include "runtime/cpu/simd/convolution/winograd_tiles.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

/// The position of tile `index`.
struct WinogradPlace {
  std::size_t image, row, column;  // row and column of its first output pixel
  HWY_INLINE WinogradPlace(const WinogradSizes& s, std::size_t index) {
    const std::size_t columns = s.tile_columns(), rows = s.tile_rows();
    column = index % columns * winograd_tile;
    row = index / columns % rows * winograd_tile;
    image = index / columns / rows;
  }
};

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
