// memcpy for memory larger than the caches.
#pragma once

#include <cstddef>

namespace webnn::runtime {

/// As memcpy, but writes past the caches (non-temporal stores): a plain store first reads the line that it overwrites,
/// which is a third of the memory traffic. For data that is not read again before it would be evicted.
void copy_past_caches(void* to, const void* from, std::size_t bytes);

}  // namespace webnn::runtime
