// Learning from the processor whether arithmetic has met a NaN: for libraries whose limits (a relu, a clamp) turn it
// into a number.
//
// An operation that makes a NaN of numbers, and on x86 a maximum, minimum or comparison that meets one, raises the
// exception "invalid operation": a mark that stays in the thread's state until somebody takes it back. So a watch costs
// nothing where the work is done. (Where maxima raise nothing, on ARM, they give the NaN.)
#pragma once

#include <atomic>
#include <cfenv>

namespace webnn::runtime {

class InvalidWatch {
 public:
  /// Whether work that was run since the last `reset` has met a NaN, in its results or on the way. It may say so where
  /// there was none, in elements that nobody asked for.
  bool met() const { return met_.load(std::memory_order_relaxed); }
  void reset() { met_.store(false, std::memory_order_relaxed); }

  /// Runs `work`, all of it in the calling thread; several threads may do this at a time.
  template <typename Work>
  void run(Work&& work) {
    forget();
    work();
    look();
  }

 private:
  static void forget() { std::feclearexcept(FE_INVALID); }
  void look() {
    if (std::fetestexcept(FE_INVALID) != 0) met_.store(true, std::memory_order_relaxed);
  }

  std::atomic<bool> met_ = false;
};

}  // namespace webnn::runtime
