// By the bits of FPCR, which has no exception flags.
#include "runtime/threads/float_mode.hpp"

namespace webnn::runtime {

FloatMode float_mode() { return FloatMode(__builtin_aarch64_get_fpcr()); }
void set_float_mode(FloatMode mode) { __builtin_aarch64_set_fpcr(mode); }
// Operands are zeros, too.
FloatMode without_subnormals(FloatMode mode) { return mode | FloatMode(1) << 24; }
bool are_subnormals_slow() { return false; }

}  // namespace webnn::runtime
