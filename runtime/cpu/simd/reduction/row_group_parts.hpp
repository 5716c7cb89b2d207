// Groups of elementwise operators and operators along rows (softmax, layerNormalization, @rmsNormalization, reductions),
// cut into parts that run one after another on a few rows at a time. Both the condition of the kernel and its
// preparation use this.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/kernel.hpp"

namespace webnn::runtime::simd {

/// Consecutive elementwise operators, or one operator along rows.
struct RowGroupPart {
  /// Elementwise operators on whole tensors; or the operator on a single row, whose shape is that of the row's axes.
  KernelSpec spec;
  /// Where its operands come from: an input of the group, or (nullopt) the result of the part before.
  std::vector<std::optional<std::size_t>> operands;
  bool along_rows = false, reduces = false;
};

struct RowGroup {
  std::vector<RowGroupPart> parts;
  /// The same for all parts, except that rows have one element behind a reduction.
  std::size_t rows = 0, row_length = 0;  // row_length in elements
};

/// The group of a spec on float32; nullopt when there is none: no operations or too many, rows of different lengths,
/// rows that are too short or too long, an operation that reads a result from before the last operator along rows, or
/// one that is not elementwise behind a reduction. A part has at most most_group_inputs operands.
std::optional<RowGroup> row_group_of(const KernelSpec& spec);

}  // namespace webnn::runtime::simd
