// Sleeping until another thread changes a word, by the system's futex. Unlike std::atomic's wait it has a timeout and
// sleeps at once. (That wait first yields the processor several times, for an unknown time.)
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "runtime/threads/spin.hpp"

namespace webnn::runtime {

/// Sleeps while `word` is `value`: until it is woken or, if given, until the timeout. May wake spuriously.
void sleep_on(const std::atomic<std::uint32_t>& word, std::uint32_t value,
              std::optional<Clock::time_point> moment = std::nullopt);

/// Wakes one or all threads that sleep on the word.
void wake_one(const std::atomic<std::uint32_t>& word);
void wake_all(const std::atomic<std::uint32_t>& word);

}  // namespace webnn::runtime
