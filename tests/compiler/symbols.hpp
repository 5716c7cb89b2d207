// Computing with symbols in the place of tensors: shows what a graph or program computes without any kernel.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "compiler/ir/graph.hpp"
#include "schema/program.hpp"

namespace webnn::tests {

/// Stands for a tensor's content: equal only for the same computation on the same inputs; never 0 but for an undefined
/// one.
using Symbol = std::size_t;
/// The outputs' symbols by name.
using Meaning = std::map<std::string, Symbol>;

/// As the graph defines its outputs.
Meaning meaning_of(const compiler::Graph& graph);
/// As the program's steps define its values, wherever these lie.
Meaning meaning_of(const schema::Program& program);
/// As the program leaves its outputs in memory, where every write destroys what lay there.
Meaning run_on_symbols(const schema::Program& program);

}  // namespace webnn::tests
