// The table of choices.def: the fastest kernels for devices of an architecture.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/device.hpp"

namespace webnn::runtime::vulkan {

/// Those for an architecture (Profile::architecture); empty when it is unknown.
std::vector<KernelChoice> choices_for(std::string_view architecture);
/// The architectures that have rows, in their order.
std::vector<std::string_view> architectures_with_choices();

}  // namespace webnn::runtime::vulkan
