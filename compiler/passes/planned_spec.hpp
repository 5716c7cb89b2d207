// What a node will be at run time: its spec with the plan's layouts.
#pragma once

#include "compiler/unit.hpp"

namespace webnn::compiler {

/// The node's spec with the layouts and private forms that the plan has so far; equal to what `spec_of` makes of its
/// step.
KernelSpec planned_spec(const Unit& unit, NodeId id);

/// Whether the node's result is its operand's bytes, seen otherwise.
bool is_view(const Unit& unit, NodeId id);

/// Row-major for values that the plan does not know.
Layout layout_of(const Plan& plan, ValueId id);

}  // namespace webnn::compiler
