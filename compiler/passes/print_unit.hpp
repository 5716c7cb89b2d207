// Prints a unit: the graph in its text format, with the plan as comments.
#pragma once

#include <string>

#include "compiler/ir/print.hpp"
#include "compiler/unit.hpp"

namespace webnn::compiler {

/// The text reads back as the same graph, with the nodes in the order of the graph. Behind each node, once the pass has
/// run: the kernel and the slots of the results, as in `// reference.binary -> arena+64`; "no step" marks a view that
/// shares its operand's slot. After memory planning, the last line gives the arena's size; once there is a program, its
/// steps follow, also as comments. `options.note` is not used.
std::string print(const Unit& unit, PrintOptions options = {});

}  // namespace webnn::compiler
