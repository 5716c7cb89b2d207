// How far the results of two correct implementations may be apart: the tolerances of the Web Platform Tests for each
// operator, and their sum along the path to each output.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/ir/graph.hpp"
#include "schema/program.hpp"

namespace webnn::cli {

/// The difference that one or several operators may contribute.
struct Allowance {
  double ulp = 0;
  double absolute = 0;
  Allowance& operator+=(const Allowance& other) {
    ulp += other.ulp;
    absolute += other.absolute;
    return *this;
  }
};

/// The allowance of one call with its post-ops, for results of its output's type. It grows with the number of summed
/// elements: for a convolution, with its window and channels. Operators that only move elements add nothing.
Allowance allowance_of(const schema::KernelSpec& spec);

/// By value of the graph: the greatest sum along any path to it from inputs and constants. At most 1 for integers, and none
/// for what is compared or chosen.
std::vector<Allowance> allowances_of(const compiler::Graph& graph);
/// By value of the program.
std::vector<Allowance> allowances_of(const schema::Program& program);

}  // namespace webnn::cli
