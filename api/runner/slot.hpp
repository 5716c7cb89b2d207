// An input or output of a graph: its name and descriptor.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/ir/graph.hpp"
#include "schema/program.hpp"

namespace webnn::api {

struct Slot {
  std::string name;
  schema::OperandDescriptor descriptor;
};

/// In the order of the file.
std::vector<Slot> input_slots(const compiler::Graph& graph);
std::vector<Slot> output_slots(const compiler::Graph& graph);
std::vector<Slot> slots_of(std::span<const schema::Binding> bindings);

}  // namespace webnn::api
