// How far a correct implementation may be from the exact result, for each element of each output of an operator, of a
// call with post-ops and of a whole graph: a running error analysis by the reference kernels in double precision.
//
// Each value carries a bound. An operator adds to it
//   - what it makes of its operands' bounds: the operator itself, evaluated in double where the operands are when they
//     are moved as far as their bounds reach. Sums of products are evaluated on magnitudes, which is the worst case;
//     elementwise operators in every corner; others with signs by chance, and what comes out is taken four times
//   - its own rounding: the units in the last place that the specification's tests allow it, of its result and of its
//     operands, so that what cancels keeps the error of what it was before. For sums they grow as the root of the
//     number of terms does, no faster. Nothing is allowed where nothing is rounded: movements, comparisons, maxima,
//     integers
// Where a result depends on the side of an edge on which an operand was rounded, its bound is `unknown`.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "compiler/ir/graph.hpp"
#include "tests/harness/error_bound/bounded_tensor.hpp"
#include "tests/harness/evaluate_graph.hpp"

namespace webnn::tests {

/// The outputs of a call with its post-ops. Layouts and forms of the spec do not matter: all is row-major. `folds`:
/// what follows may be folded into the weights, so that a sum is rounded even where its terms are small integers.
std::vector<BoundedTensor> bounded_outputs(const KernelSpec& spec, const OptionalBoundedTensors& inputs,
                                           bool folds = false);
/// The same for operands that are exact.
std::vector<BoundedTensor> bounded_outputs(const KernelSpec& spec, const OptionalTensors& inputs);

/// The graph's outputs, in its order; `inputs` are given as to evaluate_graph.
std::vector<std::pair<std::string, BoundedTensor>> bounded_outputs(const compiler::Graph& graph,
                                                                   const TestTensors& inputs);

}  // namespace webnn::tests
