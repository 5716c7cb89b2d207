// How far the results of two correct implementations may be apart: the tolerances of the specification's tests for each
// operator, and their sum along the way to each output.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/ir/graph.hpp"
#include "schema/program.hpp"

namespace webnn::cli {

/// What one or several operators may add to the difference.
struct Allowance {
  double ulp = 0;
  double absolute = 0;
  Allowance& operator+=(const Allowance& other) {
    ulp += other.ulp;
    absolute += other.absolute;
    return *this;
  }
};

/// Of one call with its post-ops, for results of its output's type. Sums over many elements may differ by more: the
/// allowance of a convolution grows with its window and channels. What only moves elements adds nothing.
Allowance allowance_of(const schema::KernelSpec& spec);

/// By value of the graph: the greatest sum along any way from the inputs and constants to it.
std::vector<Allowance> allowances_of(const compiler::Graph& graph);
/// By value of the program.
std::vector<Allowance> allowances_of(const schema::Program& program);

}  // namespace webnn::cli
