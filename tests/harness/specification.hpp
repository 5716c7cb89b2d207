// What the specification says, apart from our own tables.
#pragma once

#include <string_view>

namespace webnn::tests {

/// Whether the specification has this operator. Our table may have others, which the tests of files and browsers that
/// only know the specification's leave out.
bool is_specified(std::string_view op);

}  // namespace webnn::tests
