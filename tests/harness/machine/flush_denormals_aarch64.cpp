// By the bit of 64-bit ARM's FPCR.
#include "tests/harness/machine/flush_denormals.hpp"

namespace webnn::tests {

void flush_denormals() { __builtin_aarch64_set_fpcr(__builtin_aarch64_get_fpcr() | 1u << 24); }

}  // namespace webnn::tests
