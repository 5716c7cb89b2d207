#include "schema/name_hash.hpp"

#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <sys/random.h>
#include <sys/types.h>

// Sanitizers leave some of its calls as they are, where inlining must not be demanded.
#define XXH_NO_INLINE_HINTS 1
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace webnn::schema {
namespace {

/// All of what XXH3 mixes into short and middle names: a seed alone would be 64 bits of it.
using Secret = std::array<std::byte, XXH3_SECRET_SIZE_MIN + 56>;
static_assert(sizeof(Secret) <= 256, "getrandom gives up to 256 bytes whole");

Secret drawn_secret() {
  Secret secret{};
  if (getrandom(secret.data(), secret.size(), GRND_NONBLOCK) == ssize_t(secret.size())) return secret;
  // A system that gives none: its addresses and its clock are harder to guess than a constant.
  const std::uint64_t guess[] = {std::bit_cast<std::uintptr_t>(&secret), std::bit_cast<std::uintptr_t>(&drawn_secret),
                                 std::uint64_t(std::chrono::steady_clock::now().time_since_epoch().count())};
  for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = std::byte(XXH64(guess, sizeof guess, i));
  return secret;
}

}  // namespace

std::uint64_t name_hash(std::string_view name) {
  static const Secret secret = drawn_secret();
  return XXH3_64bits_withSecret(name.data(), name.size(), secret.data(), secret.size());
}

}  // namespace webnn::schema
