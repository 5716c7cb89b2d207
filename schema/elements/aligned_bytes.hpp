// A buffer that becomes Bytes, aligned as devices want constants. A device uses it in place, whereas the memory of a
// std::vector would have to be copied. It counts in the account of the thread that makes it.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>

#include "schema/elements/bytes.hpp"
#include "schema/elements/memory_account.hpp"

namespace webnn::schema {

/// Memory aligned to at least `arena_alignment`, freed by std::free; null when there is none. Large memory is asked for
/// in large pages, because the first access to a page costs about as much as copying it.
std::byte* allocate_aligned(std::size_t bytes);

class AlignedBytes {
 public:
  /// Zeros. Throws std::bad_alloc, or Error (resource) when the account does not allow it.
  explicit AlignedBytes(std::size_t size);
  /// Bytes that the caller writes before anybody reads them. Throws the same.
  static AlignedBytes unwritten(std::size_t size);

  std::byte* data() const { return memory_.get(); }
  std::span<std::byte> view() const { return {memory_.get(), size_}; }
  /// Ends the writing and gives the bytes.
  Bytes take() && {
    const std::span<const std::byte> content(memory_.get(), size_);
    return {std::make_shared<const AlignedBytes>(std::move(*this)), content};
  }

 private:
  struct Release {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<std::byte, Release>;
  AlignedBytes(MemoryCharge charge, Memory memory, std::size_t size)
      : charge_(std::move(charge)), memory_(std::move(memory)), size_(size) {}

  MemoryCharge charge_;
  Memory memory_;
  std::size_t size_;
};

}  // namespace webnn::schema
