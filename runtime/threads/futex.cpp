#include "runtime/threads/futex.hpp"

#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace webnn::runtime {
namespace {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t) &&
              std::atomic<std::uint32_t>::is_always_lock_free);
// Timeouts use CLOCK_MONOTONIC, which is std::chrono::steady_clock on Linux.
static_assert(Clock::is_steady);

void wake(const std::atomic<std::uint32_t>& word, int count) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

}  // namespace

void sleep_on(const std::atomic<std::uint32_t>& word, std::uint32_t value, std::optional<Clock::time_point> moment) {
  timespec time{};
  if (moment) {
    const auto since_epoch = moment->time_since_epoch();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since_epoch);
    time = {time_t(seconds.count()), long(std::chrono::nanoseconds(since_epoch - seconds).count())};
  }
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, value, moment ? &time : nullptr, nullptr,
          FUTEX_BITSET_MATCH_ANY);
}

void wake_one(const std::atomic<std::uint32_t>& word) { wake(word, 1); }
void wake_all(const std::atomic<std::uint32_t>& word) { wake(word, INT_MAX); }

}  // namespace webnn::runtime
