// A tensor as it is in double precision, and how far from it a correct implementation may be, element by element.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/harness/run_operator.hpp"

namespace webnn::tests {

/// The bound of an element of which nothing can be said: it depends on how something was rounded that lies on an edge
/// (a comparison, a rounding, a pole).
inline constexpr double unknown = infinity;

struct BoundedTensor {
  OperandDescriptor descriptor;     // of the graph
  std::vector<std::byte> elements;  // floats as float64, integers in their own type
  std::vector<double> bounds;       // by element: the greatest distance, 0 or more, or `unknown`

  std::size_t count() const { return bounds.size(); }
  Number number(std::size_t i) const;
  double value(std::size_t i) const { return number(i).as_double(); }
};

using OptionalBoundedTensors = std::vector<std::optional<BoundedTensor>>;  // nullopt: absent

/// Elements that every implementation has.
BoundedTensor exactly(const TestTensor& tensor);

struct BoundCheck {
  std::size_t count = 0;
  std::size_t beyond = 0;              // elements further away than their bounds
  std::size_t unknown = 0;             // elements that nothing can be said of
  std::optional<std::size_t> first{};  // beyond
  double worst = 0;                    // the greatest distance as a part of its bound, over those within it
  std::string text{};                  // about the first one beyond: its place, what is there and what was expected
};

/// Compares row-major elements of the graph's type. NaN and infinities must be where they are expected; an infinity
/// also passes where the bound reaches past the greatest number of the type.
BoundCheck check_within(const BoundedTensor& expected, std::span<const std::byte> actual);

/// The least magnitude that becomes an infinity in a float type.
double overflow_of(DataType type);

}  // namespace webnn::tests
