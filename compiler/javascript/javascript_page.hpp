// A page that runs a written module in a browser: device, inputs, outputs and times.
#pragma once

#include <functional>
#include <string>

#include "compiler/frontend/weights_writer.hpp"

namespace webnn::compiler {

/// Writes the page. `module_file` is the name of the module beside it. If `write_module` is not null, the page holds
/// the module itself and needs no other file.
void write_javascript_page(const std::string& module_file, const std::function<void(const ByteSink&)>& write_module,
                           const ByteSink& sink);

}  // namespace webnn::compiler
