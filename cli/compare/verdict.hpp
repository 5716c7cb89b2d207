// The verdict on two tensors: how far they are apart, whether that is allowed, and which tolerance would be needed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/compare/tolerances.hpp"
#include "schema/elements/compare_tensors.hpp"

namespace webnn::cli {

/// `--tol`. An element passes when it is within `ulp` units in the last place, or within atol + rtol * |expected|. With
/// `cosine`, the whole tensor must also point in the same direction.
struct ToleranceOptions {
  std::optional<double> ulp, absolute, relative, cosine;
  bool given() const { return ulp || absolute || relative || cosine; }
};
/// "ulp=4,atol=1e-5,rtol=1e-3,cos=0.999". Throws Error (usage).
ToleranceOptions parse_tolerance(const std::string& text);

struct TensorVerdict {
  std::string name;
  schema::OperandDescriptor descriptor;  // of the expected tensor
  schema::Tolerance tolerance;           // that was applied
  std::optional<double> cosine_limit;
  schema::Comparison comparison;  // not filled in if `problem` is not empty
  std::string problem;            // why the two cannot be compared
  bool passed = false;
};

/// The default tolerance: `allowance` in ULP at the scale of the tensor's greatest number (a sum that cancels to nearly
/// nothing still has the rounding errors of its summands), or its absolute part.
schema::Tolerance default_tolerance(const Allowance& allowance, const schema::OperandDescriptor& descriptor,
                                    std::span<const std::byte> expected);

/// Compares `actual` with `expected`. Explicit options replace the allowance.
TensorVerdict judge(std::string name, const schema::OperandDescriptor& descriptor, std::span<const std::byte> actual,
                    std::span<const std::byte> expected, const ToleranceOptions& options, const Allowance& allowance);

/// "ulp=3, atol=1.2e-07 or rtol=2.4e-07": each would suffice alone. Empty when the tensors are equal; "nothing finite"
/// when a number is compared with NaN or infinity.
std::string smallest_tolerance(const TensorVerdict& verdict);
/// "ulp=120,atol=3.1e-05,rtol=0"
std::string text_of(const schema::Tolerance& tolerance, const std::optional<double>& cosine_limit);
/// "[0, 3, 17]": the index of an element.
std::string place_text(const schema::Shape& shape, std::size_t index);

}  // namespace webnn::cli
