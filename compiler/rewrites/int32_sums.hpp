// Whether the sums of operators on quantised numbers fit in an int32, in which kernels add up.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/pattern.hpp"

namespace webnn::compiler {

/// The elements of a constant, or of one that is quantised; nullopt for what is not known, or if guards have read very many
/// already.
std::optional<std::vector<double>> known_numbers(const Match& match, ValueId value);
/// Sums of `taps` products of an int8 weight and a number of ?x less its zero point ?xz; and the bias ?b, which a kernel
/// may add in the unit of the products, ?xs times ?ws for its output: it must be known, because it may be too large for a
/// small unit.
bool products_fit_int32(const Match& match, double taps);
/// Sums of the bytes of ?x in a window with the sizes ?w along the axes ?a; by default all of height and width.
bool windows_fit_int32(const Match& match);

}  // namespace webnn::compiler
