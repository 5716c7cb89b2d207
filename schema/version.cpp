// Defines the version in one object file, so that a new version recompiles nothing else.
#include "schema/version.hpp"

namespace webnn::schema {

const std::string_view version = WEBNN_VERSION;

}  // namespace webnn::schema
