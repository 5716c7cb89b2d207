// Declares the functions of all passes in passes.def.
//
// A pass changes the unit's graph or fills one side table of its plan, and reports problems to the unit's diagnostics.
// It never prints, verifies or measures time: the pipeline does.
#pragma once

#include "compiler/unit.hpp"

namespace webnn::compiler {

#define PASS(name, level, summary) void name(Unit& unit);
#include "compiler/passes/passes.def"
#undef PASS

}  // namespace webnn::compiler
