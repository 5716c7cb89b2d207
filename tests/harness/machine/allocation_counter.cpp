#include "tests/harness/machine/allocation_counter.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace webnn::tests {
namespace {

thread_local std::uint64_t here_count = 0;
std::atomic<std::uint64_t> everywhere_count = 0;

}  // namespace

AllocationCounter::AllocationCounter() : here_at_start_(here_count), everywhere_at_start_(everywhere_count) {}
std::uint64_t AllocationCounter::here() const { return here_count - here_at_start_; }
std::uint64_t AllocationCounter::everywhere() const { return everywhere_count - everywhere_at_start_; }

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

bool allocations_are_counted() { return false; }

#else

bool allocations_are_counted() { return true; }

static void* counted_allocate(std::size_t bytes, std::size_t alignment) {
  ++here_count;
  everywhere_count.fetch_add(1, std::memory_order_relaxed);
  if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes ? bytes : 1);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void* counted_allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* memory = counted_allocate(bytes, alignment)) return memory;
  throw std::bad_alloc();
}

#endif

}  // namespace webnn::tests

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// The array and nothrow forms of the standard library call these.
void* operator new(std::size_t bytes) { return webnn::tests::counted_allocate_or_throw(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return webnn::tests::counted_allocate_or_throw(bytes, std::size_t(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#endif
