// memcpy for memory larger than the caches.
#pragma once

#include <cstddef>

namespace webnn::runtime {

/// As memcpy, but writes past the caches: a plain write would first read the line that it overwrites, a third of all
/// traffic with memory. For what nobody reads again before the caches are filled with other things.
void copy_past_caches(void* to, const void* from, std::size_t bytes);

}  // namespace webnn::runtime
