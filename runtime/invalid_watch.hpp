// Detects, with the processor's floating-point exception flags, whether a computation met a NaN. For libraries whose
// limits (relu, clamp) turn a NaN into a number.
//
// An operation that turns numbers into a NaN raises the exception "invalid operation"; on x86 a maximum, minimum or
// comparison with a NaN operand does so too. The flag stays set in the thread's state until it is cleared, so watching
// costs nothing during the computation. (On ARM maxima raise nothing, but they return the NaN.)
#pragma once

#include <atomic>
#include <cfenv>

namespace webnn::runtime {

class InvalidWatch {
 public:
  /// Whether work run since the last `reset` met a NaN, in its results or on the way. False positives are possible,
  /// from elements that are not part of the result.
  bool met() const { return met_.load(std::memory_order_relaxed); }
  void reset() { met_.store(false, std::memory_order_relaxed); }

  /// Runs `work`, which must stay on the calling thread; several threads may call this at the same time.
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
