#include "schema/elements/aligned_bytes.hpp"

#include <cstdint>
#include <cstring>
#include <new>
#include <sys/mman.h>

#include "schema/program.hpp"

namespace webnn::schema {
namespace {

constexpr std::size_t large_page = std::size_t{2} << 20;

}  // namespace

std::byte* allocate_aligned(std::size_t bytes) {
  if (bytes > PTRDIFF_MAX) return nullptr;
  const std::size_t alignment = bytes >= large_page ? large_page : std::size_t{arena_alignment};
  const std::size_t whole = (bytes / arena_alignment + 1) * arena_alignment;  // not nothing, which may be at null
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, whole) != 0) return nullptr;
  // A request, which systems without large pages ignore. The end that fills no page stays in small ones.
  if (bytes >= large_page) madvise(memory, bytes / large_page * large_page, MADV_HUGEPAGE);
  return static_cast<std::byte*>(memory);
}

AlignedBytes AlignedBytes::unwritten(std::size_t size) {
  MemoryCharge charge(size);
  Memory memory(allocate_aligned(size));
  if (!memory) throw std::bad_alloc();
  return {std::move(charge), std::move(memory), size};
}

AlignedBytes::AlignedBytes(std::size_t size) : AlignedBytes(unwritten(size)) {
  if (size != 0) std::memset(memory_.get(), 0, size);
}

}  // namespace webnn::schema
