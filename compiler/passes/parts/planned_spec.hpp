// The spec that a node will have at run time, with the plan's layouts.
#pragma once

#include "compiler/unit.hpp"

namespace webnn::compiler {

/// The node's spec with the layouts and private forms that the plan has so far; equal to the result of `spec_of` for
/// its step.
KernelSpec planned_spec(const Unit& unit, NodeId id);

/// Whether the node's result is a view of its operand.
bool is_view(const Unit& unit, NodeId id);

/// Row-major for values that are not in the plan.
Layout layout_of(const Plan& plan, ValueId id);

}  // namespace webnn::compiler
