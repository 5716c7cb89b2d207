#include "compiler/formats/all_formats.hpp"

namespace webnn::compiler {

Formats all_formats() {
#define FORMAT(name) &name##_format,
#define TOOL_FORMAT(name) FORMAT(name)
  static constexpr const Format* table[] = {
#include "compiler/frontend/formats.def"
  };
#undef TOOL_FORMAT
#undef FORMAT
  return table;
}

}  // namespace webnn::compiler
