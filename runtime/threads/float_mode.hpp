// The floating-point mode that kernels compute in, whatever the program's threads use for themselves.
#pragma once

#include <cfenv>

namespace webnn::runtime {

/// While it lives, the calling thread rounds to nearest, keeps denormal numbers and traps nothing. Then its own mode
/// and exception flags are back.
class DefaultFloatMode {
 public:
  DefaultFloatMode() {
    std::fegetenv(&former_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatMode() { std::fesetenv(&former_); }
  DefaultFloatMode(const DefaultFloatMode&) = delete;
  DefaultFloatMode& operator=(const DefaultFloatMode&) = delete;

 private:
  std::fenv_t former_;
};

}  // namespace webnn::runtime
