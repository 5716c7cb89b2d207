// The private forms of the filters of @quantizedConv2d: words of four bytes that shaders load at once. What is missing
// to four is 0.
#pragma once

#include "runtime/vulkan/kernels/dispatch.hpp"

namespace webnn::runtime::vulkan {

/// For each output channel, for each tap: all input channels.
extern const GpuPacking words_of_inputs;
/// For each tap: all output channels; for filters with one input channel.
extern const GpuPacking words_of_outputs;

}  // namespace webnn::runtime::vulkan
