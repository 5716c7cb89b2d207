// A queue of tasks and the one thread that runs them, first in, first out.
//
// The thread is where all kernels run, so that the OpenMP threads that belong to it serve every executable.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

namespace webnn::runtime {

class Timeline {
 public:
  Timeline();
  /// Finishes everything appended.
  ~Timeline();
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  /// Runs `task()` after all tasks appended before. Its result, or the exception that left it, reaches the future; a
  /// caller that does not care drops it. May be called from any thread.
  template <class Function>
  auto append(Function task) {
    std::packaged_task<std::invoke_result_t<Function>()> packaged(std::move(task));
    auto result = packaged.get_future();
    push(std::packaged_task<void()>(std::move(packaged)));
    return result;
  }

 private:
  void push(std::packaged_task<void()> task);
  void run();

  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<std::packaged_task<void()>> tasks_;
  bool closing_ = false;
  std::thread thread_;  // last: it starts when everything above is there
};

}  // namespace webnn::runtime
