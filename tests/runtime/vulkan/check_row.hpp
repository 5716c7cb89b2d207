// A row of the GPU's kernels against the reference, on a call whose shapes are at an edge of its plan.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "runtime/device.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests {

struct RowCall {
  const char* kernel;
  const char* op;
  std::vector<OperandDescriptor> operands;
  NamedAttributes attributes{};
  std::size_t dispatches = 1;  // on a GPU with the units that the check is made for
};

/// The row takes the call, has so many dispatches for it, and gives what the reference gives for random operands.
void check_row(runtime::Device& device, const RowCall& call, const Target& gpu, std::mt19937& engine);

/// The target of a GPU with so many compute units.
Target gpu_of_units(std::uint32_t units);

}  // namespace webnn::tests
