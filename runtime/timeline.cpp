#include "runtime/timeline.hpp"

#include <algorithm>
#include <chrono>

#include "runtime/start_thread.hpp"
#include "runtime/threads/float_mode.hpp"
#include "runtime/threads/parallel.hpp"
#include "runtime/threads/thread_pool.hpp"

namespace webnn::runtime {

Timeline::Timeline(unsigned threads) : threads_(threads), thread_(start_thread([this] { run(); })) {}

Timeline::~Timeline() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  filled_.notify_one();
  thread_.join();
}

void Timeline::push(Task task, Wake wake) {
  bool wakes = false;
  {
    const std::lock_guard lock(mutex_);
    incoming_.push_back(std::move(task));
    // Counted after the push: if that fails for lack of memory, nothing has changed.
    for (Resource* resource : incoming_.back().uses()) resource->ask();
    constexpr std::size_t many = 8;
    if (wake == Wake::no || (wake == Wake::for_many && incoming_.size() < many)) return;
    has_incoming_.store(true, std::memory_order_relaxed);
    wakes = sleeping_;
  }
  if (wakes) filled_.notify_one();
}

void Timeline::run_soon() {
  const std::lock_guard lock(mutex_);
  if (incoming_.empty()) return;
  has_incoming_.store(true, std::memory_order_relaxed);
  if (sleeping_) filled_.notify_one();
}

void Timeline::run() {
  const Team team(threads_);
  const DefaultFloatMode mode;  // the thread inherited the mode of the one that created the context
  for (std::unique_lock lock(mutex_);;) {
    if (incoming_.empty()) {
      lock.unlock();
      look_for_work();
      lock.lock();
    }
    const bool is_idle = incoming_.empty() && runner_.load(std::memory_order_relaxed) == std::thread::id();
    if (is_idle) rest_helpers();
    sleeping_ = true;
    filled_.wait(lock, [this] {
      return runner_.load(std::memory_order_relaxed) == std::thread::id() && (closing_ || !incoming_.empty());
    });
    sleeping_ = false;
    if (incoming_.empty()) {
      runner_.store(std::this_thread::get_id(), std::memory_order_relaxed);
      break;
    }
    run_incoming(lock);
  }
  run_waiting();
}

/// The caller holds the mutex, which is released meanwhile, and there is no other runner. noexcept, because an
/// exception would leave a half-run queue while callers wait for the rest.
void Timeline::run_incoming(std::unique_lock<std::mutex>& lock) noexcept {
  runner_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  working_.reserve(incoming_.capacity());  // the two vectors are swapped each time
  std::swap(incoming_, working_);
  has_incoming_.store(false, std::memory_order_relaxed);
  lock.unlock();
  begun_ = 0;
  for (std::size_t i = 0; i < working_.size(); ++i) {
    begin_together(i);
    process(working_[i]);
  }
  working_.clear();
  lock.lock();
  runner_.store(std::thread::id(), std::memory_order_relaxed);
}

void Timeline::wait_for(Completion& completion) {
  {
    std::unique_lock lock(mutex_);
    const bool nobody_runs = runner_.load(std::memory_order_relaxed) == std::thread::id();
    if (nobody_runs && !incoming_.empty()) {
      const Team team(threads_);
      const DefaultFloatMode mode;
      run_incoming(lock);
    }
    // The rest is for the timeline's thread, which has not been notified yet.
    if (!incoming_.empty()) has_incoming_.store(true, std::memory_order_relaxed);
    if (!incoming_.empty() || closing_) filled_.notify_one();
  }
  completion.wait();
}

/// Polls for a moment before the thread goes to sleep: sleeping and being woken costs more than a small dispatch, and
/// callers tend to make several requests in a row.
void Timeline::look_for_work() const {
  constexpr auto moment = std::chrono::microseconds(20);
  for (const auto begin = std::chrono::steady_clock::now(); std::chrono::steady_clock::now() - begin < moment;) {
    if (has_incoming_.load(std::memory_order_relaxed)) return;
    std::this_thread::yield();
  }
}

namespace {

bool uses_held(const Task& task) {
  return std::ranges::any_of(task.uses(), [](const Resource* resource) { return resource->held != 0; });
}

}  // namespace

/// Lets the tasks from `first` on that can begin do so, up to the first one that cannot.
void Timeline::begin_together(std::size_t first) {
  if (first < begun_) return;
  for (begun_ = first; begun_ < working_.size() && working_[begun_].can_begin(); ++begun_)
    if (!uses_held(working_[begun_])) working_[begun_].begin();
}

void Timeline::process(Task& task) {
  if (task.is_barrier() ? !waiting_.empty() : uses_held(task)) {
    for (Resource* resource : task.uses()) ++resource->held;
    waiting_.push_back(std::move(task));
  } else {
    finish(task);
  }
}

void Timeline::finish(Task& task) {
  task.run();
  for (Resource* resource : task.uses()) resource->done();
  task = {};  // destroys its captures now, not with the whole batch
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
