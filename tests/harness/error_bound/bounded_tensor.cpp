#include "tests/harness/error_bound/bounded_tensor.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "schema/elements/elements.hpp"
#include "schema/elements/float64.hpp"

namespace webnn::tests {
namespace {

/// How far apart; infinite where only one is a NaN or an infinity.
double distance(const Number& a, const Number& b) {
  const double x = a.as_double(), y = b.as_double();
  if (std::isnan(x) && std::isnan(y)) return 0;
  if (a.kind() != Number::Kind::real || b.kind() != Number::Kind::real)
    return Number::compare(a, b) == 0 ? 0 : std::max(1.0, std::fabs(x - y));
  if (x == y) return 0;
  const double apart = std::fabs(x - y);
  return std::isnan(apart) ? infinity : apart;
}

}  // namespace

Number BoundedTensor::number(std::size_t i) const {
  return load_element(is_float(descriptor.type) ? float64 : descriptor.type, elements.data(), i);
}

BoundedTensor exactly(const TestTensor& tensor) {
  const std::size_t count = element_count(tensor.descriptor.shape);
  BoundedTensor result{tensor.descriptor, tensor.data, std::vector<double>(count)};
  if (!is_float(tensor.descriptor.type)) return result;
  result.elements.resize(count * sizeof(double));
  for (std::size_t i = 0; i < count; ++i)
    store_element(load_element(tensor.descriptor.type, tensor.data.data(), i), float64, result.elements.data(), i);
  return result;
}

double overflow_of(DataType type) {
  return type == DataType::float16 ? 65520.0 : 0x1.ffffffp127;  // halfway between the greatest and what would follow
}

BoundCheck check_within(const BoundedTensor& expected, std::span<const std::byte> actual) {
  const DataType type = expected.descriptor.type;
  BoundCheck result;
  result.count = expected.count();
  for (std::size_t i = 0; i < expected.count(); ++i) {
    const double bound = expected.bounds[i];
    if (bound == unknown) {
      ++result.unknown;
      continue;
    }
    const Number is = load_element(type, actual.data(), i), should = expected.number(i);
    const double apart = distance(is, should);
    bool within = apart <= bound;
    if (is_float(type) && std::isinf(is.as_double()))  // rounding makes an infinity of what is too great
      within |= std::fabs(should.as_double()) + bound >= overflow_of(type) &&
                std::signbit(should.as_double()) == std::signbit(is.as_double());
    if (within && bound > 0 && std::isfinite(apart)) result.worst = std::max(result.worst, apart / bound);
    if (within) continue;
    if (result.beyond++ != 0) continue;
    result.first = i;
    std::ostringstream text;
    text.precision(9);
    text << "element " << i << " is " << is.text() << " instead of " << should.text() << " +- " << bound;
    result.text = text.str();
  }
  return result;
}

}  // namespace webnn::tests
