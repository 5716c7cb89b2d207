#include "cli/watchdog.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <unistd.h>
#include <utility>

#include "runtime/start_thread.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;

std::chrono::nanoseconds parse_duration(std::string_view text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr Unit units[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"", 1}};
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view suffix(end, std::size_t(text.data() + text.size() - end));
  for (const Unit& unit : units)
    if (error == std::errc{} && suffix == unit.name && value > 0 && value * unit.seconds < 1e9)
      return std::chrono::nanoseconds(std::int64_t(std::ceil(value * unit.seconds * 1e9)));
  throw Error(ExitCode::usage, in_quotes(text) + " is no duration", "for example 500ms, 10s or 2m");
}

Watchdog::Watchdog(std::chrono::nanoseconds limit, std::string message) {
  if (limit.count() == 0) return;
  thread_ = runtime::start_thread([this, limit, message = std::move(message)] {
    std::unique_lock lock(mutex_);
    if (done_changed_.wait_for(lock, limit, [this] { return done_; })) return;
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message.data(), message.size());
    std::_Exit(int(ExitCode::timeout));
  });
}

Watchdog::~Watchdog() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  done_changed_.notify_all();
  thread_.join();
}

}  // namespace webnn::cli
