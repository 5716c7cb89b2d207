#include "runtime/tensors/buffer_pool.hpp"

#include <algorithm>
#include <bit>

#include "schema/error.hpp"
#include "schema/program.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime {
namespace {

/// Sizes are rounded up to eight classes per power of two, so that tensors of nearly equal size share buffers and at
/// most an eighth is wasted.
std::size_t size_class(std::size_t bytes) {
  const std::size_t step = std::max<std::size_t>(arena_alignment, std::bit_floor(bytes) / 8);
  return round_up(bytes, step);
}

}  // namespace

Buffer BufferPool::take(std::size_t bytes) {
  const std::size_t size = size_class(std::max<std::size_t>(bytes, 1));
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = free_.find(size); found != free_.end() && !found->second.empty()) {
      Buffer buffer = std::move(found->second.back());
      found->second.pop_back();
      held_ -= size;
      return buffer;
    }
  }
  try {
    return device_->allocate(size);
  } catch (const Error&) {  // the buffers in the pool may be what is missing
    {
      const std::lock_guard lock(mutex_);
      if (held_ == 0) throw;
      free_.clear();
      held_ = 0;
    }
    return device_->allocate(size);
  }
}

void BufferPool::give(Buffer buffer) {
  const std::lock_guard lock(mutex_);
  if (buffer.size() == 0 || buffer.size() > limit_ - held_) return;
  held_ += buffer.size();
  free_[buffer.size()].push_back(std::move(buffer));
}

void BufferPool::close() {
  const std::lock_guard lock(mutex_);
  limit_ = held_ = 0;
  free_.clear();
}

}  // namespace webnn::runtime
