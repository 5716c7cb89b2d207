// All graph file formats: those of the frontend, and those whose libraries are not part of libwebnn.
#pragma once

#include "compiler/frontend/format.hpp"

namespace webnn::compiler {

/// All rows of formats.def.
Formats all_formats();

}  // namespace webnn::compiler
