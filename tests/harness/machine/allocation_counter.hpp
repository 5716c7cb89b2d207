// Counts calls of operator new, to hold code to "allocates nothing". The test binary replaces the global operators.
#pragma once

#include <cstdint>

namespace webnn::tests {

/// Allocations since its construction.
class AllocationCounter {
 public:
  AllocationCounter();
  /// By the thread that asks, which must be the one that constructed the counter.
  std::uint64_t here() const;
  /// By all threads.
  std::uint64_t everywhere() const;

 private:
  std::uint64_t here_at_start_, everywhere_at_start_;
};

/// False under sanitizers, which bring their own operator new.
bool allocations_are_counted();

}  // namespace webnn::tests
