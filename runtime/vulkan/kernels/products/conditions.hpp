// Kernel rows of products and convolutions, and conditions of rows that several files of kernels share.
#pragma once

#include <span>

#include "runtime/kernel_conditions.hpp"
#include "runtime/vulkan/kernels/products/tile_cost.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::vulkan {

/// nchw tensors and oihw filters (convTranspose2d: iohw), as canonicalize writes convolutions.
bool takes_convolution(const KernelSpec& spec);
/// Window operators whose positions, inside and outside of the input, fit in 31 bits.
bool positions_are_narrow(const KernelSpec& spec);
/// Windows of one element, all inside of the input.
bool is_pointwise(std::span<const SlidingWindow> windows);

/// Convolutions on which tiles of products work; products always do.
bool takes_tiles(const KernelSpec& spec);
/// Products of few rows (GEMV).
bool has_few_rows(const KernelSpec& spec);
/// Products of few columns and more rows; and conv2d with few positions, each an element of each channel of the input,
/// of one image, or of one position in several.
bool has_few_columns(const KernelSpec& spec);

/// The row of a product or convolution with post-ops. `name` begins with its operator. The operands of its post-ops are
/// read before the result is written.
consteval KernelRow product_row(std::string_view name, bool (*can)(const KernelSpec&) = nullptr, double factor = 1,
                                double (*scale)(const KernelSpec&, const Target&) = nullptr,
                                DataTypes types = any_type) {
  const std::string_view op = name.substr(0, name.find('.'));
  return {.name = name,
          .op = op,
          .types = types,
          .in_place = std::uint8_t(op == "matmul" ? 0b1111'1100 : 0b1111'1000),
          .can = can,
          .can_apply = elementwise_expression,
          .factor = factor,
          .scale = scale};
}
/// Matrix units multiply float16 only.
template <const Tile& tile>
consteval KernelRow tile_row(std::string_view name) {
  return product_row(name, takes_tiles, 1, scale_of_tile<tile>,
                     tile.subgroups != 0 ? DataTypes{DataType::float16} : any_type);
}

}  // namespace webnn::runtime::vulkan
