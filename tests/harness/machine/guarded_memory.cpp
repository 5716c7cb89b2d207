#include "tests/harness/machine/guarded_memory.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace webnn::tests {
namespace {

constexpr std::byte garbage{0xcd};

std::size_t page_size() {
  static const auto size = std::size_t(sysconf(_SC_PAGESIZE));
  return size;
}

std::size_t round_up(std::size_t bytes, std::size_t step) { return (bytes + step - 1) / step * step; }

}  // namespace

GuardedMemory::GuardedMemory(std::size_t size, std::size_t alignment, std::size_t padding) : size_(size) {
  const std::size_t behind = round_up(size, alignment) + round_up(padding, alignment);
  page_bytes_ = round_up(behind, page_size());
  void* const address =
      mmap(nullptr, page_bytes_ + page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<std::byte*>(address);
  if (mprotect(pages_ + page_bytes_, page_size(), PROT_NONE) != 0) throw std::bad_alloc();
  data_ = pages_ + page_bytes_ - behind;
  std::fill_n(pages_, page_bytes_, garbage);
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept
    : pages_(std::exchange(other.pages_, nullptr)),
      page_bytes_(other.page_bytes_),
      size_(other.size_),
      data_(other.data_) {}

GuardedMemory::~GuardedMemory() {
  if (pages_) munmap(pages_, page_bytes_ + page_size());
}

void GuardedMemory::fill(const std::vector<std::byte>& content) { std::copy(content.begin(), content.end(), data_); }

bool GuardedMemory::intact() const {
  const auto is_garbage = [](std::byte byte) { return byte == garbage; };
  return std::all_of(pages_, data_, is_garbage) && std::all_of(data_ + size_, pages_ + page_bytes_, is_garbage);
}

}  // namespace webnn::tests
