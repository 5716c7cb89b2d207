// Groups of elementwise operators with operators along rows among them, cut into parts that run one after another on a
// few rows at a time. What a kernel takes and what it prepares are both read from here.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "schema/kernels/kernel_table.hpp"

namespace webnn::schema {

/// softmax, layerNormalization and the reductions: what they give for a row, the elements of an operand's last axes,
/// depends on that row alone.
bool works_along_rows(OperatorId op);

/// Neighbouring elementwise steps, or one operator along rows.
struct RowGroupPart {
  /// Elementwise steps on whole tensors; or the operator on a single row, a tensor of the axes that make it.
  KernelSpec spec;
  /// Where its operands come from: an input of the group, or (nullopt) the result of the part before.
  std::vector<std::optional<std::size_t>> operands;
  bool along_rows = false, reduces = false;
};

struct RowGroup {
  std::vector<RowGroupPart> parts;
  std::size_t rows = 0, row_length = 0;  // elements; the same for all parts, but behind a reduction a row has one
};

/// The group of a spec on float32; nullopt when it is none: no or too many steps, rows of different, few or very many
/// elements, steps that take results from before the last operator along rows, or other than elementwise ones behind a
/// reduction. A part has at most most_group_inputs operands.
std::optional<RowGroup> row_group_of(const KernelSpec& spec);

}  // namespace webnn::schema
