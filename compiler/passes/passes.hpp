// Declares the function of every pass of passes.def.
//
// A pass changes the unit's graph or fills one side table of its plan, and reports what is wrong to the unit's
// diagnostics. It never prints, verifies or measures: the pipeline does.
#pragma once

#include "compiler/unit.hpp"

namespace webnn::compiler {

#define PASS(name, level, summary) void name(Unit& unit);
#include "compiler/passes/passes.def"
#undef PASS

}  // namespace webnn::compiler
