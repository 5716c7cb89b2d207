// Aligns two graphs: finds the counterpart of each operator.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace webnn::cli {

struct Alignment {
  std::vector<compiler::NodeId> nodes;       // by node of the reference graph; invalid: no counterpart
  std::vector<compiler::ValueId> reference;  // by value of the checked graph: its counterpart; invalid: none
};

/// Operators are paired by the names of their results. Those without a counterpart of the same name are paired by
/// position, if both graphs have equally many of the same kinds. Inputs are paired by name.
Alignment align(const compiler::Graph& reference, const compiler::Graph& checked);

/// How an operator differs from its counterpart, apart from the contents of constants, as a short phrase: "it is add
/// instead of mul"; empty when it does not.
std::string structural_difference(const compiler::Graph& reference, compiler::NodeId node,
                                  const compiler::Graph& checked, compiler::NodeId counterpart,
                                  const Alignment& alignment);

/// Whether the counterpart can run on the reference's operands: each of its operands is a constant, or the counterpart
/// of the reference operator's operand at the same place.
bool takes_the_same(const compiler::Graph& reference, compiler::NodeId node, const compiler::Graph& checked,
                    compiler::NodeId counterpart, const Alignment& alignment);

}  // namespace webnn::cli
