// What products cost on a GPU that nobody measured: a model of a compute unit's clocks.
#pragma once

#include "runtime/vulkan/kernels/products/tile.hpp"

namespace webnn::runtime::vulkan {

/// Before tiles and blocks where shared memory pays off, after them where a CPU runs shaders.
double scale_of_few_rows(const KernelSpec& spec, const Target& target);

/// Factor of kernels that compute tiles in shared memory; high where the target is not faster in it.
double scale_of_tile(const Tile& tile, const KernelSpec& spec, const Target& target);
template <const Tile& tile>
double scale_of_tile(const KernelSpec& spec, const Target& target) {
  return scale_of_tile(tile, spec, target);
}
/// Clocks of a GPU for a product by tiles in float32.
double clocks_of_tile(const Tile& tile, const ProductSize& size, const Target& target);
/// Factor of kernels whose product is not the call's own: `steps` further dispatches move `bytes` bytes, all of them
/// from and to memory, because few GPUs have caches for what lies between dispatches.
double scale_of_steps(const Tile& tile, const ProductSize& size, unsigned steps, std::uint64_t bytes,
                      const KernelSpec& spec, const Target& target);
/// Likewise for tiles of @quantizedConv2d, which read bytes; `dots`: four products and their sum are one instruction.
double scale_of_byte_tile(const Tile& tile, bool dots, const KernelSpec& spec, const Target& target);

}  // namespace webnn::runtime::vulkan
