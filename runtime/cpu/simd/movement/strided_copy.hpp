// StridedCopy is used by all kernels that move elements unchanged: a nest of loops with a source stride and a target
// stride each. It rearranges the loops so that the innermost ones copy whole runs of memory, transpose a matrix, repeat
// one element, or copy strided elements.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "runtime/memory_order.hpp"
#include "runtime/threads/parallel.hpp"

namespace webnn::runtime::simd {

/// One loop; strides in bytes. A source stride of 0 repeats an element.
struct CopyAxis {
  std::int64_t size = 1, source = 0, target = 0;
};

/// The two innermost loops of a copy; `columns` is the inner one.
struct CopyPlane {
  CopyAxis rows, columns;
};

class StridedCopy {
 public:
  /// For each index of `shape`: target[target_start + index * target_strides] = source[source_start + index *
  /// source_strides], all in elements of `element_bytes` (1, 2, 4 or 8). Target places must be distinct.
  StridedCopy(const Shape& shape, const Strides& source, const Strides& target, std::size_t element_bytes,
              std::int64_t source_start = 0, std::int64_t target_start = 0);
  /// The same from loops in any order, with offsets in bytes.
  StridedCopy(std::vector<CopyAxis> axes, std::size_t element_bytes, std::int64_t source_offset,
              std::int64_t target_offset);

  /// The number of bytes written.
  std::size_t bytes() const { return bytes_; }
  /// Runs parts [begin, end) out of `parts` equal parts; different parts write different bytes.
  void run(const std::byte* source, std::byte* target, std::size_t begin, std::size_t end, std::size_t parts) const;

 private:
  using RunPlane = void (*)(const CopyPlane&, const std::byte*, std::byte*);

  void choose_plane(std::int64_t unit);
  void choose_split();

  std::vector<CopyAxis> axes_;  // outermost first; the last two are the plane
  std::int64_t source_offset_, target_offset_;
  std::size_t bytes_;
  RunPlane run_plane_ = nullptr;
  std::size_t split_ = 0;         // the axis that is divided into parts
  std::int64_t split_align_ = 1;  // parts begin at multiples of this
};

/// One element (1, 2, 4, 8 or 16 bytes) to be written repeatedly.
class Pattern {
 public:
  Pattern() = default;
  Pattern(const std::byte* element, std::size_t element_bytes);
  /// `bytes` must be a multiple of the element's size.
  void fill(std::byte* target, std::size_t bytes) const;

 private:
  std::array<std::byte, 64> bytes_{};
};

/// Calls `body(begin, end, parts)` with ranges of [0, parts) on all threads, so that each writes at least 100 KiB of
/// `bytes`; small copies stay in one thread.
template <typename Body>
void parallel_bytes(std::size_t bytes, Body&& body) {
  constexpr std::size_t part = 4096, grain = 32;
  const std::size_t parts = 1 + bytes / part;
  parallel_for(parts, grain, [&](std::size_t begin, std::size_t end) { body(begin, end, parts); });
}

/// Runs copies on all threads; `source(i)` and `target(i)` are the addresses for copy i.
template <typename Source, typename Target>
void run_copies(std::span<const StridedCopy> copies, Source&& source, Target&& target) {
  std::size_t bytes = 0;
  for (const StridedCopy& copy : copies) bytes += copy.bytes();
  parallel_bytes(bytes, [&](std::size_t begin, std::size_t end, std::size_t parts) {
    for (std::size_t i = 0; i < copies.size(); ++i) copies[i].run(source(i), target(i), begin, end, parts);
  });
}

}  // namespace webnn::runtime::simd
