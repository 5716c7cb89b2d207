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
    if (free_.empty()) {
      incoming_.push_back(std::move(task));
    } else {
      free_.front() = std::move(task);
      incoming_.splice(incoming_.end(), free_, free_.begin());
    }
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
  std::swap(incoming_, working_);
  has_incoming_.store(false, std::memory_order_relaxed);
  lock.unlock();
  while (!working_.empty()) {
    begin_together();
    process_first(working_);
  }
  lock.lock();
  free_.splice(free_.end(), finished_);
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

/// Called before the first task is processed: if it has not begun, the tasks that can begin do so, up to one that cannot.
void Timeline::begin_together() {
  if (begun_ == 0)
    for (auto task = working_.begin(); task != working_.end() && task->can_begin(); ++task, ++begun_)
      if (!uses_held(*task)) task->begin();
  if (begun_ != 0) --begun_;
}

void Timeline::process_first(std::list<Task>& from) {
  Task& task = from.front();
  if (task.is_barrier() ? !waiting_.empty() : uses_held(task)) {
    for (Resource* resource : task.uses()) ++resource->held;
    waiting_.splice(waiting_.end(), from, from.begin());
  } else {
    finish_first(from);
  }
}

void Timeline::finish_first(std::list<Task>& from) {
  Task& task = from.front();
  task.run();
  for (Resource* resource : task.uses()) resource->done();
  task = {};  // destroys its captures now, not with the whole batch
  finished_.splice(finished_.end(), from, from.begin());
}

void Timeline::hold(Resource& resource) {
  ++resource.held;
  resource.keep();
}

void Timeline::let_go(Resource& resource) {
  --resource.held;
  resource.done();
  std::list<Task> tasks;
  std::swap(tasks, waiting_);
  for (const Task& task : tasks)
    for (Resource* used : task.uses()) --used->held;
  while (!tasks.empty()) process_first(tasks);
}

void Timeline::run_waiting() {
  std::list<Task> tasks;
  std::swap(tasks, waiting_);
  while (!tasks.empty()) {
    for (Resource* used : tasks.front().uses()) --used->held;
    finish_first(tasks);
  }
}

}  // namespace webnn::runtime
