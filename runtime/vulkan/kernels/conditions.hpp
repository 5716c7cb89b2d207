// Kernel rows of products and convolutions, and conditions of rows that several files of kernels share.
#pragma once

#include "runtime/kernel_conditions.hpp"

namespace webnn::runtime::vulkan {

/// nchw tensors and oihw filters (convTranspose2d: iohw), as canonicalize writes convolutions.
bool takes_convolution(const KernelSpec& spec);
/// Window operators whose positions, inside and outside of the input, fit in 31 bits.
bool positions_are_narrow(const KernelSpec& spec);

/// Convolutions on which tiles of products work; products always do.
bool takes_tiles(const KernelSpec& spec);
/// Factor of kernels that compute tiles of 64 x 64 results in shared memory: they pay where that is faster than global
/// memory, and where the result fills the tiles to a fair part.
double tiles_on_target(const KernelSpec& spec, const Target& target);
/// Likewise for tiles of the subgroups' matrix units.
double tiles_of_units(const KernelSpec& spec, const Target& target);

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
consteval KernelRow tiled_row(std::string_view name) { return product_row(name, takes_tiles, 0.5, tiles_on_target); }
consteval KernelRow cooperative_row(std::string_view name) {
  return product_row(name, takes_tiles, 0.25, tiles_of_units, {DataType::float16});
}

}  // namespace webnn::runtime::vulkan
