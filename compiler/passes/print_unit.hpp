// A unit as text: the graph in its text form, and what the plan knows as comments.
#pragma once

#include <string>

#include "compiler/ir/print.hpp"
#include "compiler/unit.hpp"

namespace webnn::compiler {

/// Reads back as the same graph, its nodes in the order of the graph. Behind each node, once its pass has run: the
/// kernel and the places of the results, as in
/// `// reference.binary -> arena+64`; "no step" marks a view that shares its operand's place. Once memory is planned
/// the last line gives the arena's size; once a program is there its steps follow, as comments too.
/// `options.note` is not used.
std::string print(const Unit& unit, PrintOptions options = {});

}  // namespace webnn::compiler
