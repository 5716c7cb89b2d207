#include "runtime/timeline.hpp"

#include <algorithm>

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
    wake = sleeping_;
  }
  if (wake) filled_.notify_one();
}

void Timeline::run(unsigned threads) {
  const Team team(threads);
  std::vector<Task> working;
  for (std::unique_lock lock(mutex_);;) {
    sleeping_ = true;
    filled_.wait(lock, [this] { return closing_ || !incoming_.empty(); });
    sleeping_ = false;
    if (incoming_.empty()) break;
    std::swap(incoming_, working);
    incoming_.reserve(working.capacity());  // the two take turns in being the long one
    lock.unlock();
    for (Task& task : working) process(task);
    working.clear();
    lock.lock();
  }
  run_waiting();
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
