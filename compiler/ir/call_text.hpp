// One call of an operator as text. Calls with equal text are assumed to take the same time, calls of one class to be
// fastest by the same kernel.
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

/// The class of a product or a convolution: "matmul float32 m10 n10 k6 b3" has results of about 2^10 x 2^10 elements, sums
/// of about 2^6 products, and 2^3 such matrices; "gemm .. t" has a transposed second matrix. Of a convolution, m are the
/// filters of a group, n the positions of all images, b the groups. Empty for other calls.
std::string call_class(const schema::KernelSpec& spec);

}  // namespace webnn::compiler
