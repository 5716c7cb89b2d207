// Attribute values: when two of them are the same.
#include <doctest/doctest.h>
#include <limits>

#include "schema/operators/attribute.hpp"

namespace webnn::tests::attribute_test {
namespace {

using namespace schema;

bool same(AttributeValue a, AttributeValue b) {
  Attributes first(1), second(1);
  first[0] = std::move(a);
  second[0] = std::move(b);
  CHECK((first == second) == (second == first));
  CHECK((first == second) == identical(*first[0], *second[0]));
  return first == second;
}

TEST_CASE("attribute: a zero differs from the zero of the other sign") {
  CHECK(same(0.0, 0.0));
  CHECK(same(-0.0, -0.0));
  CHECK_FALSE(same(0.0, -0.0));
  CHECK_FALSE(same(Number(0.0), Number(-0.0)));
  CHECK_FALSE(same(RealList{1, 0.0}, RealList{1, -0.0}));
}

TEST_CASE("attribute: a NaN is the same as itself") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(same(nan, nan));
  CHECK(same(Number(nan), Number(nan)));
  CHECK(same(RealList{nan, 1}, RealList{nan, 1}));
  CHECK_FALSE(same(nan, 1.0));
}

TEST_CASE("attribute: kinds, lengths and absence count") {
  CHECK(same(Number(3), Number(3.0)));
  CHECK_FALSE(same(std::int64_t{3}, 3.0));
  CHECK_FALSE(same(IntegerList{1, 2}, IntegerList{1, 2, 3}));
  CHECK(same(TextList{"relu"}, TextList{"relu"}));
  Attributes given(1);
  given[0] = true;
  CHECK_FALSE(given == Attributes(1));
  CHECK_FALSE(Attributes(1) == Attributes(2));
  CHECK(Attributes(1) == Attributes(1));
}

}  // namespace
}  // namespace webnn::tests::attribute_test
