// The one parallel loop: every kernel that uses more than one thread does it through `parallel_for`.
//
// How many threads take part is a property of the calling thread, set by a `Team` that lives on its stack (the
// executor's), never of the process: two executors with different thread counts do not disturb each other. Without a
// Team every loop is serial.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace webnn::runtime {

/// A reference to something callable as `(std::size_t begin, std::size_t end)`; like std::function without ownership or
/// allocation. What it refers to must outlive it, as a lambda in a call's argument does.
class RangeBody {
 public:
  template <class Body, class = std::enable_if_t<!std::is_same_v<std::remove_cvref_t<Body>, RangeBody> &&
                                                 std::is_invocable_v<Body&, std::size_t, std::size_t>>>
  RangeBody(Body&& body)  // implicit on purpose: a lambda is passed as it is
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(body)))),
        call_([](void* object, std::size_t begin, std::size_t end) {
          (*static_cast<std::remove_reference_t<Body>*>(object))(begin, end);
        }) {}

  void operator()(std::size_t begin, std::size_t end) const { call_(object_, begin, end); }

 private:
  void* object_;
  void (*call_)(void*, std::size_t, std::size_t);
};

/// While it lives, loops that the constructing thread starts use up to `threads` threads (OpenMP's, so that oneDNN on
/// the same thread shares them). Teams nest; each restores the former size.
class Team {
 public:
  explicit Team(unsigned threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

 private:
  unsigned former_;
  int former_openmp_;
};

/// Threads that a loop of the calling thread may use now; 1 without a Team and inside a parallel loop.
unsigned team_size();

/// Calls `body(begin, end)` on disjoint ranges that together cover [0, count) and returns when all are done. Each range
/// holds about `grain` indices or more: choose it so that a range is worth a thread's start (some 10,000 simple
/// operations). At most one range per thread; a loop of at most `grain` indices and one inside another parallel loop
/// run in the calling thread. Allocates nothing.
///
/// How [0, count) is divided depends on the team: a result must not depend on where ranges begin (sum each element's
/// terms inside one range). An exception of the body reaches the caller once all ranges have ended.
void parallel_for(std::size_t count, std::size_t grain, RangeBody body);

}  // namespace webnn::runtime
