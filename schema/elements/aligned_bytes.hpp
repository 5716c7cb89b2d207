// A zero-initialised buffer that becomes Bytes, aligned as devices want constants. A device uses it in place, whereas
// the memory of a std::vector would have to be copied.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "schema/elements/bytes.hpp"
#include "schema/program.hpp"

namespace webnn::schema {

class AlignedBytes {
 public:
  explicit AlignedBytes(std::size_t size)
      : memory_(static_cast<std::byte*>(::operator new (size, std::align_val_t{arena_alignment}))), size_(size) {
    if (size != 0) std::memset(memory_.get(), 0, size);
  }

  std::byte* data() const { return memory_.get(); }
  std::span<std::byte> view() const { return {memory_.get(), size_}; }
  /// Ends the writing and gives the bytes.
  Bytes take() && {
    std::shared_ptr<const void> owner(std::move(memory_));
    return {owner, std::span(static_cast<const std::byte*>(owner.get()), size_)};
  }

 private:
  struct Release {
    void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{arena_alignment}); }
  };
  std::unique_ptr<std::byte, Release> memory_;
  std::size_t size_;
};

}  // namespace webnn::schema
