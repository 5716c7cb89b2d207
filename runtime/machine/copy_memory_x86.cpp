// Copies with x86's non-temporal stores.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <immintrin.h>

#include "runtime/machine/copy_memory.hpp"

namespace webnn::runtime {

void copy_past_caches(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t line = 64;
  auto* target = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  const std::size_t before = std::min(bytes, (line - reinterpret_cast<std::uintptr_t>(target) % line) % line);
  std::memcpy(target, source, before);
  std::size_t at = before;
  for (; at + line <= bytes; at += line)
    for (std::size_t i = 0; i < line; i += sizeof(__m128i))
      _mm_stream_si128(reinterpret_cast<__m128i*>(target + at + i),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + at + i)));
  _mm_sfence();  // orders the stores before the copy is announced
  std::memcpy(target + at, source + at, bytes - at);
}

}  // namespace webnn::runtime
