// The one engine under the kernels that move elements without looking at them: a nest of loops with a stride in the
// source and one in the target, brought into the form in which its innermost loops are whole runs of memory, a
// matrix to transpose, one element to repeat, or strided elements.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "runtime/cpu/simd/shapes.hpp"
#include "runtime/threads/parallel.hpp"

namespace webnn::runtime::simd {

/// One loop; strides in bytes. A source stride of 0 repeats.
struct CopyAxis {
  std::int64_t size = 1, source = 0, target = 0;
};

/// The two innermost loops of a copy, the inner one last.
struct CopyPlane {
  CopyAxis rows, columns;
};

class StridedCopy {
 public:
  /// For each index of `shape`: target[target_start + index * target_strides] = source[source_start + index *
  /// source_strides], all in elements of `element_bytes` (1, 2, 4 or 8). No two indices have one target.
  StridedCopy(const Shape& shape, const Strides& source, const Strides& target, std::size_t element_bytes,
              std::int64_t source_start = 0, std::int64_t target_start = 0);
  /// The same from loops in any order, with offsets in bytes.
  StridedCopy(std::vector<CopyAxis> axes, std::size_t element_bytes, std::int64_t source_offset,
              std::int64_t target_offset);

  /// How much is written.
  std::size_t bytes() const { return bytes_; }
  /// The part [begin, end) of `parts` equal parts; different parts write different bytes.
  void run(const std::byte* source, std::byte* target, std::size_t begin, std::size_t end, std::size_t parts) const;

 private:
  using RunPlane = void (*)(const CopyPlane&, const std::byte*, std::byte*);

  void choose_plane(std::int64_t unit);
  void choose_split();

  std::vector<CopyAxis> axes_;  // outermost first; the last two are the plane
  std::int64_t source_offset_, target_offset_;
  std::size_t bytes_;
  RunPlane run_plane_ = nullptr;
  std::size_t split_ = 0;         // the axis that parts divide
  std::int64_t split_align_ = 1;  // where parts may begin
};

/// One element (1, 2, 4, 8 or 16 bytes) to write again and again.
class Pattern {
 public:
  Pattern() = default;
  Pattern(const std::byte* element, std::size_t element_bytes);
  /// `bytes` is a multiple of the element's size.
  void fill(std::byte* target, std::size_t bytes) const;

 private:
  std::array<std::byte, 64> bytes_{};
};

/// Calls `body(begin, end, parts)` with ranges of [0, parts) on all threads, so that each has 100 KiB or more of
/// `bytes` to write; few bytes stay in one thread.
template <typename Body>
void parallel_bytes(std::size_t bytes, Body&& body) {
  constexpr std::size_t part = 4096, grain = 32;
  const std::size_t parts = 1 + bytes / part;
  parallel_for(parts, grain, [&](std::size_t begin, std::size_t end) { body(begin, end, parts); });
}

/// Runs copies on all threads; `source(i)` and `target(i)` are the addresses of copy i.
template <typename Source, typename Target>
void run_copies(std::span<const StridedCopy> copies, Source&& source, Target&& target) {
  std::size_t bytes = 0;
  for (const StridedCopy& copy : copies) bytes += copy.bytes();
  parallel_bytes(bytes, [&](std::size_t begin, std::size_t end, std::size_t parts) {
    for (std::size_t i = 0; i < copies.size(); ++i) copies[i].run(source(i), target(i), begin, end, parts);
  });
}

}  // namespace webnn::runtime::simd
