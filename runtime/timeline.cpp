#include "runtime/timeline.hpp"

namespace webnn::runtime {

Timeline::Timeline() : thread_([this] { run(); }) {}

Timeline::~Timeline() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  filled_.notify_one();
  thread_.join();
}

void Timeline::push(std::packaged_task<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  filled_.notify_one();
}

void Timeline::run() {
  for (std::unique_lock lock(mutex_);;) {
    filled_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    std::packaged_task<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = {};  // what it captured dies here, not under the lock
    lock.lock();
  }
}

}  // namespace webnn::runtime
