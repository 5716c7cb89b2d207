// The compiled shaders, one function for each row of shaders.def.
#pragma once

#include "runtime/vulkan/kernels/dispatch.hpp"

namespace webnn::runtime::vulkan::shaders {

#define SHADER(name, ...) ShaderCode name();
#include "runtime/vulkan/shaders.def"
#undef SHADER

}  // namespace webnn::runtime::vulkan::shaders
