// What several files of kernels assume of a GPU when they divide a call among workgroups and say what it costs.
#pragma once

#include "runtime/kernel_conditions.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {

/// The compute units to plan for: a usual number if the target does not tell.
inline std::uint64_t compute_units_of(const Target& target) {
  constexpr std::uint64_t usual = 60;
  return target.compute_units == 0 ? usual : target.compute_units;
}

/// Factor of kernels where others are always faster.
inline constexpr double does_not_pay = 8;

/// Factor of kernels that pay only on devices whose shared memory is fast.
inline double groups_on_target(const KernelSpec&, const Target& target) {
  return includes(target.features, Feature::shared_memory) ? 1 : does_not_pay;
}

}  // namespace webnn::runtime::vulkan
