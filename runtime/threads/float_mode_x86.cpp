// By the bits of MXCSR.
#include "runtime/threads/float_mode.hpp"

namespace webnn::runtime {
namespace {

constexpr FloatMode exception_flags = 0x3f, flush_to_zero = 0x8000;

}  // namespace

FloatMode float_mode() { return __builtin_ia32_stmxcsr() & ~exception_flags; }
void set_float_mode(FloatMode mode) { __builtin_ia32_ldmxcsr(mode | (__builtin_ia32_stmxcsr() & exception_flags)); }
FloatMode without_subnormals(FloatMode mode) { return mode | flush_to_zero; }
bool are_subnormals_slow() { return true; }

}  // namespace webnn::runtime
