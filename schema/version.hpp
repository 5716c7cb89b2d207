// The version of this project, from CMakeLists.txt.
#pragma once

#include <string_view>

namespace webnn::schema {

extern const std::string_view version;

}  // namespace webnn::schema
