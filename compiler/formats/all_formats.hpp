// Every format of graph files: those of the frontend, and those whose libraries libwebnn does without.
#pragma once

#include "compiler/frontend/format.hpp"

namespace webnn::compiler {

/// All rows of formats.def.
Formats all_formats();

}  // namespace webnn::compiler
