// What x86 does in a spin loop.
#include "runtime/threads/spin.hpp"

namespace webnn::runtime {

void pause() { __builtin_ia32_pause(); }

}  // namespace webnn::runtime
