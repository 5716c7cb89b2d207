// Memory whose end is the end of what may be touched: the next page may not.
#pragma once

#include <cstddef>
#include <vector>

namespace webnn::tests {

/// Bytes that end, rounded up to whole multiples of the alignment and with `padding` readable bytes behind them, where
/// a page ends; reading or writing the next one ends the process. What lies before them, on their first page, is
/// watched for changes.
class GuardedMemory {
 public:
  GuardedMemory(std::size_t size, std::size_t alignment, std::size_t padding = 0);
  GuardedMemory(GuardedMemory&& other) noexcept;
  GuardedMemory& operator=(GuardedMemory&&) = delete;
  ~GuardedMemory();

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  void fill(const std::vector<std::byte>& content);
  std::vector<std::byte> content() const { return {data_, data_ + size_}; }
  /// Whether nobody wrote beside the bytes.
  bool intact() const;

 private:
  std::byte* pages_;
  std::size_t page_bytes_;  // of those that may be touched
  std::size_t size_;
  std::byte* data_;
};

}  // namespace webnn::tests
