// The floating-point mode in which kernels compute, independent of the mode of the caller's threads.
#pragma once

#include <cfenv>
#include <cstdint>

namespace webnn::runtime {

/// While it exists, the calling thread rounds to nearest, keeps subnormal numbers and traps nothing. Afterwards its
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

/// The mode of a thread, without exception flags: bits of the processor's control register. This and the next three
/// functions are in the processor's file (float_mode_NAME.cpp).
using FloatMode = std::uint32_t;
FloatMode float_mode();
/// Of the calling thread.
void set_float_mode(FloatMode mode);
/// The same mode, in which results that would be subnormal numbers are zeros.
FloatMode without_subnormals(FloatMode mode);
/// Whether products with subnormal numbers take much longer than others on processors of this architecture.
bool are_subnormals_slow();

/// While it exists, the calling thread computes in a mode.
class InFloatMode {
 public:
  explicit InFloatMode(FloatMode mode) : former_(float_mode()), mode_(mode) {
    if (mode_ != former_) set_float_mode(mode_);
  }
  ~InFloatMode() {
    if (mode_ != former_) set_float_mode(former_);
  }
  InFloatMode(const InFloatMode&) = delete;
  InFloatMode& operator=(const InFloatMode&) = delete;

 private:
  FloatMode former_, mode_;
};

}  // namespace webnn::runtime
