// Whether this machine and build can run what the bindings are for.
#pragma once

namespace webnn::tests {

/// Null, or why the addon for Node.js cannot be tested.
const char* obstacle_of_node();
/// Null, or why the module for Python cannot be tested.
const char* obstacle_of_python();

}  // namespace webnn::tests
