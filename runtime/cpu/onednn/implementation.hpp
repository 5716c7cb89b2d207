// The names of oneDNN's code behind kernels, for reports and tests; exported by onednn_kernels.hpp.
#pragma once

#include <string>

#include "runtime/kernel.hpp"

namespace webnn::runtime::onednn {

std::string implementation_of_convolution(const KernelSpec& spec);
std::string implementation_of_contraction(const KernelSpec& spec, bool constant_b);

}  // namespace webnn::runtime::onednn
