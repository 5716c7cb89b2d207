// Refuses an invalid call with an error (usage).
#pragma once

#include <string>
#include <utility>

#include "schema/error.hpp"

namespace webnn::runtime {

[[noreturn]] inline void refuse(const std::string& message, std::string hint = {}) {
  throw schema::Error(schema::ExitCode::usage, message, std::move(hint));
}

}  // namespace webnn::runtime
