// A pool of sessions reused by test cases: opening a GPU and compiling its shaders takes longer than most cases.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "api/runner/session.hpp"
#include "schema/kernels/other_providers.hpp"

namespace webnn::cli {

/// Thread-safe; each session is used by one thread at a time.
class SessionPool {
 public:
  /// `options`: for opening its sessions.
  explicit SessionPool(ContextOptions options) : options_(std::move(options)) {}

  /// Opens the first session. Throws Error where none can be opened.
  void open() {
    auto session = std::make_unique<api::Session>(options_);
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(session));
  }
  /// An unused session, or a new one.
  std::unique_ptr<api::Session> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        auto session = std::move(free_.back());
        free_.pop_back();
        return session;
      }
    }
    return std::make_unique<api::Session>(options_);
  }
  /// Returns a session that worked; a failed one is destroyed instead.
  void give(std::unique_ptr<api::Session> session) {
    const std::lock_guard lock(mutex_);
    const auto operators = schema::fallen_back(session->program());
    fallen_back_.insert(operators.begin(), operators.end());
    free_.push_back(std::move(session));
  }

  /// The operators that ran on the CPU in a session for a GPU.
  std::vector<std::string_view> fallen_back() {
    const std::lock_guard lock(mutex_);
    return {fallen_back_.begin(), fallen_back_.end()};
  }
  /// Remembers operators that ran on kernels of another provider than the requested one.
  void add_others(const std::vector<schema::OtherProvider>& others) {
    const std::lock_guard lock(mutex_);
    for (const schema::OtherProvider& one : others)
      if (std::ranges::find(others_, one) == others_.end()) others_.push_back(one);
  }
  std::vector<schema::OtherProvider> others() {
    const std::lock_guard lock(mutex_);
    return others_;
  }

  /// Calls `look` with the device of an unused session, if there is one.
  template <typename Look>
  void with_device(Look look) {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) look(free_.front()->context().device());
  }

 private:
  ContextOptions options_;
  std::mutex mutex_;
  std::set<std::string_view> fallen_back_;
  std::vector<schema::OtherProvider> others_;
  std::vector<std::unique_ptr<api::Session>> free_;
};

}  // namespace webnn::cli
