// Reads into memory of the caller, which must outlive all of them, whatever else fails.
#pragma once

#include <future>
#include <utility>
#include <vector>

namespace webnn::api {

class PendingReads {
 public:
  PendingReads() = default;
  PendingReads(const PendingReads&) = delete;
  PendingReads& operator=(const PendingReads&) = delete;
  ~PendingReads() { wait(); }

  void add(std::future<void> read) { reads_.push_back(std::move(read)); }
  /// Waits for all of them, then throws the first failure.
  void finish() {
    wait();
    for (std::future<void>& read : reads_) read.get();
  }

 private:
  void wait() const {
    for (const std::future<void>& read : reads_)
      if (read.valid()) read.wait();
  }

  std::vector<std::future<void>> reads_;
};

}  // namespace webnn::api
