// What XNNPACK computes as specified, on a stack of ordinary size.
#pragma once

#include "runtime/kernel.hpp"

namespace webnn::runtime::xnnpack {

/// Its time as a multiple of the ideal.
inline constexpr double library_factor = 2.5;

/// Some XNNPACK functions keep one number per channel on the stack.
inline constexpr std::uint32_t most_channels = 1u << 16;

/// Whether XNNPACK can hold the windows: it counts in 32 bits and stores the address of each element that each window
/// sees.
bool takes_windows(const OperatorCall& call, const KernelSpec& spec);
/// One relu or clamp, which becomes the output range.
bool takes_post_ops(const KernelSpec& spec);

/// The bytes of what XNNPACK allocates for a call while it is prepared, as far as they grow with the call: the packed
/// constants, and of windows a table with an address for each tap of each output position.
std::uint64_t prepared_bytes(const KernelSpec& spec);

}  // namespace webnn::runtime::xnnpack
