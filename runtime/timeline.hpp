// A queue of tasks that are run one after another, in the order in which they were appended, by a thread of its own.
//
// A caller who waits anyway runs the tasks himself when nobody does: waking another thread, and being woken by it,
// takes as long as a small graph. Loops find their helpers from any thread.
//
// A resource can be held: it is away, in somebody else's hands. Tasks that use it wait aside, and so do later tasks
// that use anything such a task uses; all others pass. When it is let go, what waited runs in its order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <future>
#include <mutex>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/task.hpp"

namespace webnn::runtime {

/// What a caller waits for without an allocation: lives on its stack.
class Completion {
 public:
  void finish(std::exception_ptr error = nullptr) {
    const std::lock_guard lock(mutex_);
    error_ = std::move(error);
    done_ = true;
    finished_.notify_one();  // under the lock: the waiting caller destroys this as soon as it may go on
  }
  /// Throws the error given to `finish`.
  void wait() {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return done_; });
    if (error_) std::rethrow_exception(std::move(error_));
  }

 private:
  std::mutex mutex_;
  std::condition_variable finished_;
  bool done_ = false;
  std::exception_ptr error_;
};

class Timeline {
 public:
  /// Loops of its tasks use up to `threads` threads.
  explicit Timeline(unsigned threads);
  /// Finishes everything appended, also what waits for held resources.
  ~Timeline();
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  /// Runs `function()`, which throws nothing, after all tasks appended before that have to do with `uses`. Appending
  /// allocates only while the queue grows beyond its longest yet. May be called from any thread, one at a time for each
  /// resource.
  template <class Function>
  void append(std::span<Resource* const> uses, Function function, Task::Kind kind = Task::Kind::ordinary) {
    push(Task(uses, kind, std::move(function)), Wake::yes);
  }

  /// The same for a caller who will call `wait_for` next, without anything between that could fail.
  template <class Function>
  void append_and_wait_soon(std::span<Resource* const> uses, Function function) {
    push(Task(uses, Task::Kind::ordinary, std::move(function)), Wake::no);
  }
  /// Waits for what the appended task finishes; runs tasks meanwhile if nobody does. Throws as Completion::wait.
  void wait_for(Completion& completion);

  /// Appends `function()`; its result, or the exception that left it, reaches the future.
  template <class Function>
  auto call(Function function) {
    std::packaged_task<std::invoke_result_t<Function>()> task(std::move(function));
    auto result = task.get_future();
    append({}, std::move(task));
    return result;
  }

  /// Whether the caller is running a task, which must not wait for another one.
  bool is_this_thread() const { return std::this_thread::get_id() == runner_.load(std::memory_order_relaxed); }

  // ---- from within tasks only

  /// By a task that uses the resource, which counts as used until it is let go.
  void hold(Resource& resource);
  void let_go(Resource& resource);
  /// Runs what waits, although its resources are held.
  void run_waiting();

 private:
  enum class Wake : bool { no, yes };
  void push(Task task, Wake wake);
  void run();
  void run_incoming(std::unique_lock<std::mutex>& lock) noexcept;
  void look_for_work() const;
  void process(Task& task);
  static void finish(Task& task);

  const unsigned threads_;
  std::mutex mutex_;
  std::condition_variable filled_;
  std::vector<Task> incoming_;              // filled by callers while the runner works through `working_`
  std::atomic<bool> has_incoming_ = false;  // what a look without the mutex sees
  bool sleeping_ = false;
  bool closing_ = false;
  std::atomic<std::thread::id> runner_;  // who runs tasks; changes under the mutex

  // Of the runner alone.
  std::vector<Task> working_;
  std::vector<Task> waiting_;  // for held resources

  std::thread thread_;  // last: it starts when everything above is there
};

}  // namespace webnn::runtime
