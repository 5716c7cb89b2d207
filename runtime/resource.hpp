// A resource is what queued work uses and a caller may destroy in the meantime: a tensor, an executable. Its memory is
// freed at once when no queued task uses it, otherwise at the end of the last one that does.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace webnn::runtime {

class Resource {
 public:
  Resource() = default;
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;
  virtual ~Resource() = default;

  /// A list with itself as the only element, for tasks that use nothing else.
  std::span<Resource* const> alone() const { return self_; }

  // ---- for callers, one at a time (they hold the context's mutex)

  /// Counts a task that uses it and is being appended; not after `retire`.
  void ask() { ++asked_; }
  bool alive() const { return alive_; }
  void retire() { alive_ = false; }

  // ---- for the caller who retired it, without the mutex, because `release` may call foreign code

  void destroy() {
    destroyed_.store(true);
    forget();
  }
  /// Nobody can ask for it any more, but what was asked for is still done.
  void forget() {
    forgotten_.store(true);
    if (done_.load() == asked_) release_once();
  }

  // ---- for the thread that runs the timeline's tasks

  bool destroyed() const { return destroyed_.load(std::memory_order_acquire); }
  /// Counts a task that used it and has ended.
  void done() {
    const std::uint64_t done = done_.load(std::memory_order_relaxed) + 1;
    done_.store(done);
    if (forgotten_.load() && done == asked_) release_once();  // asked_ does not change any more
  }
  /// The running task keeps using it beyond its end, until another `done`.
  void keep() { done_.store(done_.load(std::memory_order_relaxed) - 1); }
  std::uint32_t held = 0;  // number of holds: by tasks that wait with it, and by whoever it was lent to (see Timeline)

 protected:
  /// Frees the memory. Called once, by whoever finds it destroyed or forgotten, and unused.
  virtual void release() noexcept = 0;

 private:
  void release_once() {
    if (!released_.exchange(true)) release();
  }

  Resource* const self_[1] = {this};
  std::uint64_t asked_ = 0;
  bool alive_ = true;
  // Keeps the members of the two sides in different cache lines, so that dispatching does not wait for the timeline's
  // thread.
  std::byte apart_[64];
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<bool> destroyed_ = false, forgotten_ = false;
  std::atomic<bool> released_ = false;
};

}  // namespace webnn::runtime
