// How the public interface turns a wrong call down.
#pragma once

#include <string>

namespace webnn {

/// Throws Error (usage).
[[noreturn]] void refuse(const std::string& message, const std::string& hint = {});

}  // namespace webnn
