// Elements for the operands of random calls.
#pragma once

#include <random>

#include "tests/harness/run_operator.hpp"

namespace webnn::tests {

/// Operand `place` of a call with descriptors and attributes: indices stay inside, logarithms see positive numbers,
/// integers of more than 4 bits are small, but quantised bytes are all that there are.
TestTensor random_elements(const KernelSpec& spec, std::size_t place, std::mt19937& engine);

}  // namespace webnn::tests
