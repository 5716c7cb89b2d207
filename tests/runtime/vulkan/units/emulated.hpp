// Shaders with loops in place of matrix units, for devices that have none.
#pragma once

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::tests {

/// Puts the emulated shaders, with such fragments, in place of those for matrix units.
inline void emulate_units(runtime::vulkan::Dispatches& list, OperatorId op, const runtime::vulkan::Fragment& fragment) {
  using namespace runtime::vulkan;
  for (Dispatch& dispatch : list.dispatches) {
    if (dispatch.subgroups == 0) continue;
    dispatch.shader = op == "conv2d"_op       ? shaders::emulated_conv2d()
                      : op == "@attention"_op ? shaders::emulated_attention()
                                              : shaders::emulated_matmul();
    constexpr std::uint32_t emulated_subgroup = 16;
    dispatch.lanes = dispatch.lanes_of(emulated_subgroup);
    dispatch.specialization.set(fragment);
    dispatch.subgroups = 0;
  }
}

}  // namespace webnn::tests
