#include "runtime/cpu/simd/movement/strided_copy.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "runtime/cpu/simd/movement/transpose_tile.hpp"

namespace webnn::runtime::simd {

Pattern::Pattern(const std::byte* element, std::size_t element_bytes) {
  std::memcpy(bytes_.data(), element, element_bytes);
  for (std::size_t filled = element_bytes; filled < bytes_.size(); filled *= 2)
    std::memcpy(&bytes_[filled], bytes_.data(), filled);
}

void Pattern::fill(std::byte* target, std::size_t bytes) const {
  for (; bytes >= bytes_.size(); bytes -= bytes_.size(), target += bytes_.size())
    std::memcpy(target, bytes_.data(), bytes_.size());
  std::memcpy(target, bytes_.data(), bytes);
}

namespace {

/// An element of 16 bytes: several small ones that stay together.
struct Wide {
  std::uint64_t low, high;
};

/// Copies at most 64 bytes without a call; most sizes take two or four overlapping moves.
void copy_short_run(std::byte* target, const std::byte* source, std::size_t bytes) {
  const auto two = [&]<typename T>(T first, T last) {
    std::memcpy(&first, source, sizeof(T));
    std::memcpy(&last, source + bytes - sizeof(T), sizeof(T));
    std::memcpy(target, &first, sizeof(T));
    std::memcpy(target + bytes - sizeof(T), &last, sizeof(T));
  };
  if (bytes > 32) {
    Wide pieces[4];
    std::memcpy(pieces, source, 32);
    std::memcpy(pieces + 2, source + bytes - 32, 32);
    std::memcpy(target, pieces, 32);
    std::memcpy(target + bytes - 32, pieces + 2, 32);
  } else if (bytes >= 16) {
    two(Wide{}, Wide{});
  } else if (bytes >= 8) {
    two(std::uint64_t{}, std::uint64_t{});
  } else if (bytes >= 4) {
    two(std::uint32_t{}, std::uint32_t{});
  } else {
    for (std::size_t i = 0; i < bytes; ++i) target[i] = source[i];
  }
}

void copy_runs(const CopyPlane& plane, const std::byte* source, std::byte* target) {
  const auto bytes = std::size_t(plane.columns.size);
  const bool is_short = bytes <= 64;
  for (std::int64_t row = 0; row < plane.rows.size; ++row) {
    if (is_short) {
      copy_short_run(target, source, bytes);
    } else {
      std::memcpy(target, source, bytes);
    }
    source += plane.rows.source;
    target += plane.rows.target;
  }
}

template <typename T>
void repeat_elements(const CopyPlane& plane, const std::byte* source, std::byte* target) {
  const auto bytes = std::size_t(plane.columns.size) * sizeof(T);
  for (std::int64_t row = 0; row < plane.rows.size; ++row) {
    Pattern(source, sizeof(T)).fill(target, bytes);
    source += plane.rows.source;
    target += plane.rows.target;
  }
}

template <typename T>
void copy_elements(const CopyPlane& plane, const std::byte* source, std::byte* target) {
  for (std::int64_t row = 0; row < plane.rows.size; ++row) {
    const std::byte* from = source;
    std::byte* to = target;
    for (std::int64_t i = 0; i < plane.columns.size; ++i) {
      std::memcpy(to, from, sizeof(T));
      from += plane.columns.source;
      to += plane.columns.target;
    }
    source += plane.rows.source;
    target += plane.rows.target;
  }
}

template <typename T>
void transpose_plane(const CopyPlane& plane, const std::byte* source, std::byte* target) {
  transpose<T>({plane.columns.size, plane.columns.source, plane.rows.size, plane.rows.target}, source, target);
}

/// Selects the instance of a template for elements of `bytes` (1, 2, 4, 8 or 16).
template <typename Choose>
auto for_element(std::int64_t bytes, Choose&& choose) {
  switch (bytes) {
    case 1:
      return choose(std::uint8_t{});
    case 2:
      return choose(std::uint16_t{});
    case 4:
      return choose(std::uint32_t{});
    case 8:
      return choose(std::uint64_t{});
    default:
      return choose(Wide{});
  }
}

std::vector<CopyAxis> axes_of(const Shape& shape, const Strides& source, const Strides& target,
                              std::size_t element_bytes) {
  const auto bytes = std::int64_t(element_bytes);
  std::vector<CopyAxis> axes;
  for (unsigned i = 0; i < shape.rank(); ++i)
    axes.push_back({std::int64_t(shape[i]), source[i] * bytes, target[i] * bytes});
  return axes;
}

/// Sorts the loops by target stride, removes loops with one iteration, and merges neighbours that form one loop.
void normalize(std::vector<CopyAxis>& axes) {
  std::erase_if(axes, [](const CopyAxis& axis) { return axis.size == 1; });
  std::ranges::stable_sort(axes, [](const CopyAxis& a, const CopyAxis& b) { return a.target > b.target; });
  for (std::size_t i = axes.size(); i-- > 1;) {
    CopyAxis& outer = axes[i - 1];
    const CopyAxis& inner = axes[i];
    if (outer.source != inner.source * inner.size || outer.target != inner.target * inner.size) continue;
    outer = {outer.size * inner.size, inner.source, inner.target};
    axes.erase(axes.begin() + std::ptrdiff_t(i));
  }
}

}  // namespace

StridedCopy::StridedCopy(const Shape& shape, const Strides& source, const Strides& target, std::size_t element_bytes,
                         std::int64_t source_start, std::int64_t target_start)
    : StridedCopy(axes_of(shape, source, target, element_bytes), element_bytes,
                  source_start * std::int64_t(element_bytes), target_start * std::int64_t(element_bytes)) {}

StridedCopy::StridedCopy(std::vector<CopyAxis> axes, std::size_t element_bytes, std::int64_t source_offset,
                         std::int64_t target_offset)
    : axes_(std::move(axes)), source_offset_(source_offset), target_offset_(target_offset), bytes_(element_bytes) {
  for (const CopyAxis& axis : axes_) bytes_ *= std::size_t(axis.size);
  normalize(axes_);
  choose_plane(std::int64_t(element_bytes));
  choose_split();
}

/// `unit` is the element size in bytes. A short run of elements that fits a register becomes one larger element.
void StridedCopy::choose_plane(std::int64_t unit) {
  const auto contiguous = [&](const CopyAxis& axis) { return axis.source == unit && axis.target == unit; };
  if (!axes_.empty() && contiguous(axes_.back())) {
    const std::int64_t run = unit * axes_.back().size;
    axes_.pop_back();
    const bool fits = run == 2 || run == 4 || run == 8 || run == 16;
    if (!fits || axes_.empty()) {
      axes_.push_back({run, 1, 1});
      run_plane_ = copy_runs;
      split_align_ = 64;
    } else {
      unit = run;
    }
  }
  if (run_plane_ == nullptr) {
    if (axes_.empty()) axes_.push_back({1, unit, unit});
    const auto in_source = std::ranges::find(axes_, unit, &CopyAxis::source);
    if (axes_.back().target == unit && axes_.back().source == 0) {
      run_plane_ = for_element(unit, [](auto element) -> RunPlane { return repeat_elements<decltype(element)>; });
    } else if (axes_.back().target == unit && in_source < axes_.end() - 1) {
      std::rotate(in_source, in_source + 1, axes_.end() - 1);
      run_plane_ = for_element(unit, [](auto element) -> RunPlane { return transpose_plane<decltype(element)>; });
      split_align_ = 16;
    } else {
      run_plane_ = for_element(unit, [](auto element) -> RunPlane { return copy_elements<decltype(element)>; });
    }
  }
  if (axes_.size() == 1) axes_.insert(axes_.begin(), CopyAxis{1, 0, 0});
}

/// Divides an outer axis that is long enough, else the longest one.
void StridedCopy::choose_split() {
  constexpr std::int64_t enough = 16;
  const auto outer_end = axes_.end() - 2;
  auto split = std::find_if(axes_.begin(), outer_end, [](const CopyAxis& axis) { return axis.size >= enough; });
  if (split == outer_end) split = std::ranges::max_element(axes_, {}, &CopyAxis::size);
  split_ = std::size_t(split - axes_.begin());
  if (split < outer_end) split_align_ = 1;
}

void StridedCopy::run(const std::byte* source, std::byte* target, std::size_t begin, std::size_t end,
                      std::size_t parts) const {
  constexpr std::size_t most_axes = 2 * max_rank + 2;
  const std::int64_t whole = axes_[split_].size;
  const auto bound = [&](std::size_t part) {
    if (part == parts) return whole;
    return std::int64_t(std::size_t(whole) * part / parts) / split_align_ * split_align_;
  };
  const std::int64_t first = bound(begin), count = bound(end) - first;
  if (count == 0) return;
  source += source_offset_ + first * axes_[split_].source;
  target += target_offset_ + first * axes_[split_].target;

  const std::size_t outer = axes_.size() - 2;
  const auto size_of = [&](std::size_t axis) { return axis == split_ ? count : axes_[axis].size; };
  CopyPlane plane{axes_[outer], axes_[outer + 1]};
  plane.rows.size = size_of(outer);
  plane.columns.size = size_of(outer + 1);
  std::array<std::int64_t, most_axes> index{};
  while (true) {
    run_plane_(plane, source, target);
    std::size_t axis = outer;
    while (true) {
      if (axis == 0) return;
      --axis;
      source += axes_[axis].source;
      target += axes_[axis].target;
      if (++index[axis] < size_of(axis)) break;
      index[axis] = 0;
      source -= axes_[axis].source * size_of(axis);
      target -= axes_[axis].target * size_of(axis);
    }
  }
}

}  // namespace webnn::runtime::simd
