// Rows of elements folded by workgroups (shaders/rows/row_groups.glsl): how many rows a workgroup takes, and into how
// many parts a row is cut, so that long rows, many short ones and few long ones all fill the device.
#pragma once

#include "runtime/vulkan/kernels/shapes.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {

inline constexpr std::uint32_t row_group = 128;  // invocations of a workgroup; GROUP of the shader

/// Rows along the axis of a view.
struct RowGroups {
  std::uint64_t rows = 1, size = 1, inner = 1;
  std::uint32_t rows_of_group = 1;
  bool interleaved = false, vectors = false;
  std::uint64_t parts = 1, part_size = 1;

  /// Rows of which a workgroup keeps all elements (shaders/rows/kept_rows.glsl).
  static RowGroups kept(const AxisView& view, DataType type, const Target& target);
  /// Rows that are read once and not kept; `turns` are the iterations for each element.
  static RowGroups folded(const AxisView& view, DataType type, const Target& target, std::uint64_t turns = 1);

  /// The same in one part, however long it is. A lane takes so many times four elements, if there are enough.
  static RowGroups whole(const AxisView& view, DataType type = DataType::int32, std::uint64_t fours = 1);

  std::uint32_t lanes() const { return row_group / rows_of_group; }
  std::uint64_t blocks() const { return div_up(rows, rows_of_group); }
  /// Iterations of a lane over the elements of its row's part, four at a time.
  std::uint64_t turns() const { return (part_size + 4 * lanes() - 1) / (4 * lanes()); }
  /// Iterations over the parts of a row.
  std::uint64_t turns_of_parts() const { return div_up(parts, lanes()); }

  /// Sets the shader's constants, of those that keep elements with `lines` lines of elements.
  void specialize(DispatchMaker& maker, std::uint32_t lines = 0) const;
  /// Lines of shared memory for the kept elements of a part.
  std::uint32_t kept_lines(DataType type) const;
  /// Writes the words rows, size, inner, parts, part_size.
  void add_sizes(DispatchMaker& maker) const;
};

}  // namespace webnn::runtime::vulkan
