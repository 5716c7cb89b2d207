// The version of this project, as CMakeLists.txt gives it.
#pragma once

#include <string_view>

namespace webnn::schema {

extern const std::string_view version;

}  // namespace webnn::schema
