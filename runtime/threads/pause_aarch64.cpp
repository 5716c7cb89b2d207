// What 64-bit ARM does in a spin loop.
#include "runtime/threads/spin.hpp"

namespace webnn::runtime {

void pause() { asm volatile("isb"); }  // `yield` does nothing on most processors; this waits for some tens of cycles

}  // namespace webnn::runtime
