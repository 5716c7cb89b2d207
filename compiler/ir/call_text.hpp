// One call of an operator as text. Calls with equal text are assumed to take the same time.
#pragma once

#include <string>
#include <vector>

#include "schema/kernels/kernel_table.hpp"

namespace webnn::compiler {

/// "conv2d(float32[1, 3, 8, 8], const float32[4, 3, 3, 3], _) {strides=[2, 2]} -> relu : float32[1, 4, 4, 4]"
///
/// Operands in the row's order (`_` for an absent one), then attributes, post-ops and outputs. Layouts and private
/// forms are not included. `constant` says for each operand whether it never changes.
std::string call_text(const schema::KernelSpec& spec, const std::vector<bool>& constant);

}  // namespace webnn::compiler
