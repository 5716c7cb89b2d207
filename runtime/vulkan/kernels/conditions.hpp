// Conditions of kernel rows that several files of kernels share.
#pragma once

#include "runtime/kernel.hpp"

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

}  // namespace webnn::runtime::vulkan
