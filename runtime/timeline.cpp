#include "runtime/timeline.hpp"

#include <algorithm>
#include <chrono>

#include "runtime/parallel.hpp"

namespace webnn::runtime {

Timeline::Timeline(unsigned threads) : thread_([this, threads] { run(threads); }) {}

Timeline::~Timeline() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  filled_.notify_one();
  thread_.join();
}

void Timeline::push(Task task) {
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    incoming_.push_back(std::move(task));
    // After the task is in place: an append that fails for want of memory leaves no trace.
    for (Resource* resource : incoming_.back().uses()) resource->ask();
    has_incoming_.store(true, std::memory_order_relaxed);
    wake = sleeping_;
  }
  if (wake) filled_.notify_one();
}

void Timeline::run(unsigned threads) {
  const Team team(threads);
  std::vector<Task> working;
  for (std::unique_lock lock(mutex_);;) {
    if (incoming_.empty()) {
      lock.unlock();
      look_for_work();
      lock.lock();
    }
    sleeping_ = true;
    filled_.wait(lock, [this] { return closing_ || !incoming_.empty(); });
    sleeping_ = false;
    if (incoming_.empty()) break;
    std::swap(incoming_, working);
    has_incoming_.store(false, std::memory_order_relaxed);
    incoming_.reserve(working.capacity());  // the two take turns in being the long one
    lock.unlock();
    for (Task& task : working) process(task);
    working.clear();
    lock.lock();
  }
  run_waiting();
}

/// Looks for a moment before the thread goes to sleep: falling asleep and being woken costs more than a small dispatch,
/// and callers tend to ask for several things in a row.
void Timeline::look_for_work() const {
  constexpr auto moment = std::chrono::microseconds(20);
  for (const auto begin = std::chrono::steady_clock::now(); std::chrono::steady_clock::now() - begin < moment;) {
    if (has_incoming_.load(std::memory_order_relaxed)) return;
    std::this_thread::yield();
  }
}

void Timeline::process(Task& task) {
  const auto is_held = [](const Resource* resource) { return resource->held != 0; };
  if (task.is_barrier() ? !waiting_.empty() : std::ranges::any_of(task.uses(), is_held)) {
    for (Resource* resource : task.uses()) ++resource->held;
    waiting_.push_back(std::move(task));
  } else {
    finish(task);
  }
}

void Timeline::finish(Task& task) {
  task.run();
  for (Resource* resource : task.uses()) resource->done();
  task = {};  // what it captured dies now, not with its whole batch
}

void Timeline::hold(Resource& resource) {
  ++resource.held;
  resource.keep();
}

void Timeline::let_go(Resource& resource) {
  --resource.held;
  resource.done();
  std::vector<Task> tasks;
  std::swap(tasks, waiting_);
  for (const Task& task : tasks)
    for (Resource* used : task.uses()) --used->held;
  for (Task& task : tasks) process(task);
}

void Timeline::run_waiting() {
  std::vector<Task> tasks;
  std::swap(tasks, waiting_);
  for (Task& task : tasks) {
    for (Resource* used : task.uses()) --used->held;
    finish(task);
  }
}

}  // namespace webnn::runtime
