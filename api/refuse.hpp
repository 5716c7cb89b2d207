// How the public interface rejects a wrong call.
#pragma once

#include <string>

namespace webnn {

/// Throws Error (usage).
[[noreturn]] void refuse(const std::string& message, const std::string& hint = {});

}  // namespace webnn
