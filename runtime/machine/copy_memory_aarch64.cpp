// Copies on 64-bit ARM.
#include <cstring>

#include "runtime/machine/copy_memory.hpp"

namespace webnn::runtime {

// These processors find out by themselves that a long copy is not read again soon.
void copy_past_caches(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

}  // namespace webnn::runtime
