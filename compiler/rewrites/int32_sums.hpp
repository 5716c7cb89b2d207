// Whether the sums of operators on quantised numbers fit in an int32, in which kernels add up.
#pragma once

#include "compiler/ir/pattern.hpp"

namespace webnn::compiler {

/// Sums of `taps` products of an int8 weight and a number of ?x less its zero point ?xz; and the constant bias ?b, which
/// a kernel may add in the unit of the products, ?xs times ?ws for its output.
bool products_fit_int32(const Match& match, double taps);
/// Sums of the bytes of ?x in a window with the sizes ?w along the axes ?a; by default all of height and width.
bool windows_fit_int32(const Match& match);

}  // namespace webnn::compiler
