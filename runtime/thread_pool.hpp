// The threads of the process that help with loops, whoever runs them.
//
// A loop is a number of units, divided into a section for each thread that may work on it. Who runs the loop begins
// with the first section; a helper that comes takes a section that nobody owns. Each claims from the front of its own
// section and, when that is empty, from the back of others'. So a helper that never comes costs nothing: its section is
// worked off by the others, and the caller waits only for units that somebody has begun.
//
// Helpers look for the next loop for a moment, a longer one while nothing else wants their processors, then they sleep.
// They start with the first loop that is worth it. Everything is in static memory: a child of fork begins without
// helpers, and they end with the process or when the library is unloaded.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace webnn::runtime {

/// A reference to something callable as `(std::size_t begin, std::size_t end, unsigned place)`; like std::function
/// without ownership or allocation. What it refers to must outlive it, as a lambda in a call's argument does.
class PieceBody {
 public:
  template <class Body, class = std::enable_if_t<!std::is_same_v<std::remove_cvref_t<Body>, PieceBody> &&
                                                 std::is_invocable_v<Body&, std::size_t, std::size_t, unsigned>>>
  PieceBody(Body&& body)  // implicit on purpose: a lambda is passed as it is
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(body)))),
        call_([](void* object, std::size_t begin, std::size_t end, unsigned place) {
          (*static_cast<std::remove_reference_t<Body>*>(object))(begin, end, place);
        }) {}

  void operator()(std::size_t begin, std::size_t end, unsigned place) const { call_(object_, begin, end, place); }

 private:
  void* object_;
  void (*call_)(void*, std::size_t, std::size_t, unsigned);
};

/// The most threads that work on one loop.
inline constexpr unsigned most_threads_of_loop = 128;
/// The most units of one loop.
inline constexpr std::size_t most_units_of_loop = 1u << 14;

/// Calls `body(begin, end, place)` on disjoint ranges of units that together cover [0, units), in the calling thread
/// and in up to `threads - 1` helpers, and returns when all are done. `place` is below `threads`, and no two calls at
/// the same time have the same. The body throws nothing. `worth_waking`: the loop is long enough to wake helpers for
/// it; otherwise only those are asked that are awake. Allocates nothing, once as many helpers are there.
void run_on_pool(unsigned threads, std::size_t units, bool worth_waking, PieceBody body);

/// Helpers that have been started and not ended.
unsigned helper_count();

}  // namespace webnn::runtime
