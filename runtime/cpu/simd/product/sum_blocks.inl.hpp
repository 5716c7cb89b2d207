// Sums of many products are added up in blocks: the products of a block one after another, in registers, then the sums of
// the blocks. The rounding error of a sum grows with the square root of the number of additions that each product goes
// through: in blocks of 64, the error of 3,072 products is that of 112 added one after another. For one instruction set.
#include <cstddef>
#include <hwy/highway.h>

#include "schema/round_up.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

/// The most products of a block. The short one is for sums whose errors grow afterwards, as in Winograd's transforms.
inline constexpr std::size_t long_block = 64, short_block = 32;

/// The length of the blocks that `products` products are divided into: at most `most`, and nearly equal.
HWY_INLINE std::size_t block_length(std::size_t products, std::size_t most) {
  const std::size_t blocks = HWY_MAX(schema::div_up(products, most), 1);
  return schema::div_up(products, blocks);
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
