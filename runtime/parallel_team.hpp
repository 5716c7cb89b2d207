// Threads that work together in many short steps, each of which needs all of the one before; loops without such steps
// are in parallel.hpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace webnn::runtime {

/// Where the members of a team wait for each other. Waiting is spinning, because a step is shorter than a thread's way
/// to sleep and back.
class Barrier {
 public:
  /// Returns when `members` threads have called it. What they wrote before is seen by all of them afterwards.
  void wait(unsigned members);

 private:
  std::atomic<unsigned> waiting_ = 0, turn_ = 0;
};

/// One of the threads of a `parallel_team`.
class TeamMember {
 public:
  TeamMember(unsigned index, unsigned count, Barrier& barrier) : index_(index), count_(count), barrier_(&barrier) {}

  unsigned index() const { return index_; }
  /// Where this member's part of [0, count) begins; the next member's begins where it ends.
  std::size_t begin(std::size_t count) const { return count * index_ / count_; }
  std::size_t end(std::size_t count) const { return count * (index_ + 1) / count_; }
  /// Returns when all members have called it as often.
  void wait() const {
    if (count_ > 1) barrier_->wait(count_);
  }

 private:
  unsigned index_, count_;
  Barrier* barrier_;
};

/// `parallel_team` with the body as a function and its object.
void run_team(unsigned most, void (*body)(void* object, const TeamMember& member), void* object);

/// Calls `body(const TeamMember&)` in at most `most` threads of the calling thread's Team (parallel.hpp) at the same
/// time, the caller among them, and returns when all have returned. The body throws nothing, because the others would
/// wait for ever. Allocates nothing. Inside a parallel loop the caller is alone, and loops of a member are serial.
template <class Body>
void parallel_team(unsigned most, Body&& body) {
  using Object = std::remove_reference_t<Body>;
  run_team(
      most, [](void* object, const TeamMember& member) { (*static_cast<Object*>(object))(member); },
      const_cast<void*>(static_cast<const void*>(std::addressof(body))));
}

}  // namespace webnn::runtime
