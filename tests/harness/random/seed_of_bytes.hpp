// A seed that every byte of a fuzzer's input changes, the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace webnn::tests {

/// FNV-1a.
inline std::uint32_t seed_of_bytes(std::string_view bytes) {
  std::uint32_t hash = 2166136261u;
  for (const char c : bytes) hash = (hash ^ std::uint8_t(c)) * 16777619u;
  return hash;
}

}  // namespace webnn::tests
