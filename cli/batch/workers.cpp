#include "cli/batch/workers.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace webnn::cli {
namespace {

constexpr auto between_looks = std::chrono::milliseconds(100);

/// What workers tell the thread that waits for them.
class Board {
 public:
  Board(std::size_t inputs, unsigned workers) : inputs_(inputs), running_(workers) {}

  /// The next input; `inputs` or more: there is none.
  std::size_t next() { return has_failed_ ? inputs_ : next_.fetch_add(1); }
  std::size_t inputs() const { return inputs_; }

  void add(std::size_t index, InputOutcome outcome) {
    const std::lock_guard lock(mutex_);
    switch (outcome.kind) {
      case InputOutcome::Kind::computed:
        ++tally_.computed;
        return;
      case InputOutcome::Kind::was_there:
        ++tally_.were_there;
        return;
      case InputOutcome::Kind::refused:
        tally_.refused.push_back({index, std::move(outcome.message), std::move(outcome.hint)});
        changed_.notify_one();
        return;
    }
  }

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    has_failed_ = true;
  }

  void leave() {
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_one();
  }

  /// Tells the listener what there is to tell, until no worker is left.
  void watch(const BatchListener& listener) {
    std::size_t told = 0;
    std::unique_lock lock(mutex_);
    for (bool is_over = false; !is_over;) {
      changed_.wait_for(lock, between_looks, [&] { return running_ == 0 || told < tally_.refused.size(); });
      is_over = running_ == 0;
      const std::vector<RefusedInput> news(tally_.refused.begin() + std::ptrdiff_t(told), tally_.refused.end());
      told += news.size();
      const std::size_t finished = tally_.finished();
      lock.unlock();
      for (const RefusedInput& one : news) listener.refused(one);
      listener.progress(finished);
      lock.lock();
    }
  }

  /// Once all workers have left. Throws the first error.
  BatchTally result() {
    if (error_) std::rethrow_exception(error_);
    std::ranges::sort(tally_.refused, {}, &RefusedInput::index);
    return std::move(tally_);
  }

 private:
  const std::size_t inputs_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> has_failed_ = false;
  std::mutex mutex_;  // for what follows
  std::condition_variable changed_;
  unsigned running_;
  BatchTally tally_;
  std::exception_ptr error_;
};

void work(Board& board, const std::function<Worker()>& make_worker) {
  try {
    const Worker worker = make_worker();
    for (std::size_t i = board.next(); i < board.inputs(); i = board.next()) board.add(i, worker(i));
  } catch (...) {
    board.fail(std::current_exception());
  }
  board.leave();
}

}  // namespace

BatchTally run_workers(std::size_t inputs, unsigned count, const std::function<Worker()>& make_worker,
                       const BatchListener& listener) {
  Board board(inputs, count);
  {
    std::vector<std::jthread> threads;
    try {
      while (threads.size() < count) threads.emplace_back([&] { work(board, make_worker); });
    } catch (const std::system_error&) {  // no more threads: those that were started do all
      if (threads.empty()) throw;
      for (std::size_t missing = threads.size(); missing < count; ++missing) board.leave();
    }
    board.watch(listener);
  }
  return board.result();
}

}  // namespace webnn::cli
