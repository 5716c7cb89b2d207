// The timeline: a queue of tasks that run one after another, in the order in which they were appended, on a thread of
// its own.
//
// A caller that waits for its task runs the queue itself if nobody else is doing so, because waking another thread and
// being woken again takes as long as a small graph. Parallel loops get their helper threads from any thread.
//
// A resource can be held while it is lent to somebody outside. Tasks that use a held resource are set aside, and so are
// later tasks that share a resource with them; all other tasks overtake them. When the resource is released, the tasks
// set aside run in their order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <future>
#include <list>
#include <mutex>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>

#include "runtime/task.hpp"

namespace webnn::runtime {

/// What a caller waits on without an allocation; it lives on the caller's stack.
class Completion {
 public:
  void finish(std::exception_ptr error = nullptr) {
    const std::lock_guard lock(mutex_);
    error_ = std::move(error);
    done_ = true;
    finished_.notify_one();  // under the lock, because the waiting caller may destroy this right afterwards
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
  /// Parallel loops of its tasks use up to `threads` threads. Throws Error (resource) when no thread can be started.
  explicit Timeline(unsigned threads);
  /// Finishes everything that was appended, including tasks that wait for held resources.
  ~Timeline();
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  /// Runs `function()`, which must not throw, after all earlier tasks that share a resource in `uses` with it.
  /// Allocates only when the queue grows longer than ever before. May be called from any thread, but for each resource
  /// from one thread at a time.
  template <class Function>
  void append(std::span<Resource* const> uses, Function function, Task::Kind kind = Task::Kind::ordinary) {
    push(Task(uses, kind, std::move(function)), Wake::yes);
  }

  /// The same for a short task that nobody waits for: a few of them may stay in the queue until an ordinary task is
  /// appended, `run_soon` is called, or the timeline ends.
  template <class Function>
  void append_for_later(std::span<Resource* const> uses, Function function) {
    push(Task(uses, Task::Kind::ordinary, std::move(function)), Wake::for_many);
  }

  /// Runs soon what was appended for later.
  void run_soon();

  /// As `append`, for a caller that calls `wait_for` next; nothing in between may fail.
  template <class Function>
  void append_and_wait_soon(std::span<Resource* const> uses, Function function) {
    push(Task(uses, Task::Kind::ordinary, std::move(function)), Wake::no);
  }
  /// Waits until the appended task finishes `completion`; meanwhile runs tasks if nobody else does. Throws as
  /// Completion::wait.
  void wait_for(Completion& completion);

  /// Appends `function()`; the future gets its result or its exception.
  template <class Function>
  auto call(Function function) {
    std::packaged_task<std::invoke_result_t<Function>()> task(std::move(function));
    auto result = task.get_future();
    append({}, std::move(task));
    return result;
  }

  /// Whether the calling thread is running a task, which must not wait for another task.
  bool is_this_thread() const { return std::this_thread::get_id() == runner_.load(std::memory_order_relaxed); }

  // ---- from within tasks only

  /// Called by a task that uses the resource; it stays in use until `let_go`.
  void hold(Resource& resource);
  void let_go(Resource& resource);
  /// Runs the tasks that were set aside, although their resources are held.
  void run_waiting();

 private:
  enum class Wake : std::uint8_t { no, for_many, yes };
  void push(Task task, Wake wake);
  void run();
  void run_incoming(std::unique_lock<std::mutex>& lock) noexcept;
  void look_for_work() const;
  void begin_together();
  void process_first(std::list<Task>& from);
  void finish_first(std::list<Task>& from);

  const unsigned threads_;
  std::mutex mutex_;
  std::condition_variable filled_;
  // Tasks move from list to list as they are, because the runner can report no lack of memory.
  std::list<Task> incoming_;                // filled by callers while the runner works through `working_`
  std::list<Task> free_;                    // empty, for later tasks
  std::atomic<bool> has_incoming_ = false;  // for looking without the mutex
  bool sleeping_ = false;
  bool closing_ = false;
  std::atomic<std::thread::id> runner_;  // the thread that runs tasks; changes under the mutex

  // Used by the runner only.
  std::list<Task> working_;
  std::size_t begun_ = 0;     // so many tasks at the front of `working_` have begun together
  std::list<Task> waiting_;   // set aside, for held resources
  std::list<Task> finished_;  // empty

  std::thread thread_;  // last member: it starts when everything above exists
};

}  // namespace webnn::runtime
