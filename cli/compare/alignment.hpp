// Which operator of one graph is which of another.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace webnn::cli {

struct Alignment {
  std::vector<compiler::NodeId> nodes;       // by node of the reference graph; invalid: it has no counterpart
  std::vector<compiler::ValueId> reference;  // by value of the checked graph: its counterpart; invalid: none
};

/// Operators are paired by the names of their results; those that have no namesake by their place among such operators,
/// when there are equally many of the same kinds. Inputs are paired by name.
Alignment align(const compiler::Graph& reference, const compiler::Graph& checked);

/// What is different about an operator and its counterpart beside the contents of constants, as a short phrase: "it is
/// add instead of mul"; empty when nothing is.
std::string structural_difference(const compiler::Graph& reference, compiler::NodeId node,
                                  const compiler::Graph& checked, compiler::NodeId counterpart,
                                  const Alignment& alignment);

/// Whether the counterpart can be run on the reference's operands: each is a constant, or the counterpart of what the
/// reference's operator takes at the same place.
bool takes_the_same(const compiler::Graph& reference, compiler::NodeId node, const compiler::Graph& checked,
                    compiler::NodeId counterpart, const Alignment& alignment);

}  // namespace webnn::cli
