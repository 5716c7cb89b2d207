// By the bits of x86's MXCSR.
#include "tests/harness/machine/flush_denormals.hpp"

namespace webnn::tests {

void flush_denormals() { __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040); }

}  // namespace webnn::tests
