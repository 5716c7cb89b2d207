// The flag --timeout: ends the process when a command takes too long.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace webnn::cli {

/// "500ms", "10s", "2m", "1h"; a number alone is seconds. Throws Error (usage).
std::chrono::nanoseconds parse_duration(std::string_view text);

/// While it exists, the process has `limit` to finish; then it writes `message` to standard error and exits with code
/// 124. Files being written have no name yet, so nothing incomplete is left. A limit of 0 means none.
class Watchdog {
 public:
  Watchdog(std::chrono::nanoseconds limit, std::string message);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable done_changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace webnn::cli
