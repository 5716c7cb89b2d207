// A zero-initialised buffer that becomes Bytes, aligned as devices want constants. A device uses it in place, whereas
// the memory of a std::vector would have to be copied. It counts in the account of the thread that makes it.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "schema/elements/bytes.hpp"
#include "schema/elements/memory_account.hpp"
#include "schema/program.hpp"

namespace webnn::schema {

class AlignedBytes {
 public:
  /// Throws Error (resource) when the account does not allow it.
  explicit AlignedBytes(std::size_t size)
      : charge_(size),
        memory_(static_cast<std::byte*>(::operator new (size, std::align_val_t{arena_alignment}))),
        size_(size) {
    if (size != 0) std::memset(memory_.get(), 0, size);
  }

  std::byte* data() const { return memory_.get(); }
  std::span<std::byte> view() const { return {memory_.get(), size_}; }
  /// Ends the writing and gives the bytes.
  Bytes take() && {
    const std::span<const std::byte> content(memory_.get(), size_);
    return {std::make_shared<const AlignedBytes>(std::move(*this)), content};
  }

 private:
  struct Release {
    void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{arena_alignment}); }
  };
  MemoryCharge charge_;
  std::unique_ptr<std::byte, Release> memory_;
  std::size_t size_;
};

}  // namespace webnn::schema
