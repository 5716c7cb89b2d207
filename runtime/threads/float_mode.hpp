// The floating-point mode in which kernels compute, independent of the mode of the caller's threads.
#pragma once

#include <cfenv>

namespace webnn::runtime {

/// While it exists, the calling thread rounds to nearest, keeps denormal numbers and traps nothing. Afterwards its
/// previous mode and exception flags are restored.
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
