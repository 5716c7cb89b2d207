// Sleeping until another thread changes a word: the system's futex, which has what std::atomic's wait lacks: an end, and
// nothing before it. (That wait gives the processor away several times first, and nobody knows for how long.)
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "runtime/threads/spin.hpp"

namespace webnn::runtime {

/// Sleeps while `word` is `value`, until it is woken or, if given, until the moment. May return for no reason.
void sleep_on(const std::atomic<std::uint32_t>& word, std::uint32_t value,
              std::optional<Clock::time_point> moment = std::nullopt);

/// Wakes threads that sleep on the word.
void wake_one(const std::atomic<std::uint32_t>& word);
void wake_all(const std::atomic<std::uint32_t>& word);

}  // namespace webnn::runtime
