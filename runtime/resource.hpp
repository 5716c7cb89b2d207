// What queued work uses and callers may destroy meanwhile: a tensor, an executable. Its memory is freed at once when no
// queued task uses it, otherwise by the end of the last one that does.
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

  /// A list of itself, for tasks that use nothing else.
  std::span<Resource* const> alone() const { return self_; }

  // ---- for callers, one at a time (under the context's mutex)

  /// A task that uses it is appended; not after `retire`.
  void ask() { ++asked_; }
  bool alive() const { return alive_; }
  void retire() { alive_ = false; }

  // ---- for the caller who retired it, without the mutex: `release` may call code of others

  void destroy() {
    destroyed_.store(true);
    if (done_.load() == asked_) release_once();
  }

  // ---- for who runs the timeline's tasks

  bool destroyed() const { return destroyed_.load(std::memory_order_acquire); }
  /// A task that uses it has ended.
  void done() {
    const std::uint64_t done = done_.load(std::memory_order_relaxed) + 1;
    done_.store(done);
    if (destroyed_.load() && done == asked_) release_once();  // nobody changes asked_ once it is destroyed
  }
  /// The task that runs now goes on using it after its end, until another `done`.
  void keep() { done_.store(done_.load(std::memory_order_relaxed) - 1); }
  std::uint32_t held = 0;  // tasks that wait with it, and whether it is away (see Timeline)

 protected:
  /// Frees the memory; called once, by whoever finds it destroyed and unused.
  virtual void release() noexcept = 0;

 private:
  void release_once() {
    if (!released_.exchange(true)) release();
  }

  Resource* const self_[1] = {this};
  std::uint64_t asked_ = 0;
  bool alive_ = true;
  // The two sides write to different cache lines: dispatching does not wait for the timeline's thread.
  std::byte apart_[64];
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<bool> destroyed_ = false;
  std::atomic<bool> released_ = false;
};

}  // namespace webnn::runtime
