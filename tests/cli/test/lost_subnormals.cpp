// Which wrong results of a case a device is excused for that does not keep subnormal numbers.
#include "cli/test/lost_subnormals.hpp"

#include <doctest/doctest.h>
#include <limits>
#include <string>
#include <vector>

#include "tests/harness/graph_text.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests::lost_subnormals_test {
namespace {

using cli::LostSubnormals;

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

compiler::NamedTensor named(const std::string& name, const TestTensor& tensor) {
  return {name, {tensor.descriptor, Bytes(tensor.data)}};
}
TestTensor floats(const std::vector<double>& values) {
  return tensor(DataType::float32, {std::uint32_t(values.size())}, {values.begin(), values.end()});
}

/// A graph from "x" to "y", both with as many elements as the case.
struct Case {
  std::string step;  // the line of its operator
  std::vector<double> x;
  TestTensor y;

  bool explains(const TestTensor& actual, const Tolerance& tolerance = {}) const {
    const compiler::Graph graph =
        graph_of("%x = input float32[" + std::to_string(x.size()) + "]\n" + step + "\noutput \"y\" = %y\n");
    const std::vector<compiler::NamedTensor> inputs{named("x", floats(x))}, expected{named("y", y)};
    auto lost = LostSubnormals::of(graph, inputs, expected);
    REQUIRE(lost);
    return lost->explain(expected[0], actual.data, tolerance);
  }
  bool explains(const std::vector<double>& actual, const Tolerance& tolerance = {}) const {
    return explains(floats(actual), tolerance);
  }
};

}  // namespace

TEST_CASE("test command: a case without subnormal numbers excuses nothing") {
  const compiler::Graph graph = graph_of("%x = input float32[2]\n%y = neg(%x)\noutput \"y\" = %y\n");
  const auto x = named("x", floats({1e-37, 0})), y = named("y", floats({-1e-37, 0}));
  CHECK_FALSE(LostSubnormals::of(graph, {x}, {y}));
  CHECK(LostSubnormals::of(graph, {named("x", floats({1e-40, 0}))}, {y}));
  CHECK(LostSubnormals::of(graph, {x}, {named("y", floats({0, 1e-40}))}));
}

TEST_CASE("test command: zeros for subnormal results are excused, and nothing beside them") {
  const Case product{"%y = mul(%x, %x)", {1e-20, 1e-22, 3, 1e30}, floats({1e-40, 1e-44, 9, inf})};
  CHECK(product.explains({0, 0, 9, inf}));
  CHECK(product.explains({1e-40, 0, 9, inf}));
  CHECK(product.explains({0, 0, 9.5, inf}, {0, 0.5, 0}));
  CHECK_FALSE(product.explains({0, 0, 9.5, inf}));
  CHECK_FALSE(product.explains({0, 0, nan, inf}));
  CHECK_FALSE(product.explains({nan, 0, 9, inf}));
  CHECK_FALSE(product.explains({0, 0, 0, inf}));
  CHECK_FALSE(product.explains({1, 0, 9, inf}));
  CHECK_FALSE(product.explains({0, 0, 9, 0}));
}

TEST_CASE("test command: what a graph makes of zeros for subnormal inputs is excused, whatever it is") {
  const Case sign{"%y = sign(%x)", {1e-45, -1e-39, 2, -3}, floats({1, -1, 1, -1})};
  CHECK(sign.explains({0, 0, 1, -1}));
  CHECK(sign.explains({1, 0, 1, -1}));
  CHECK_FALSE(sign.explains({0, 0, 0, -1}));
  CHECK_FALSE(sign.explains({0, 0, 1, nan}));
  CHECK_FALSE(sign.explains({-1, 0, 1, -1}));
  const Case log{"%y = log(%x)", {1e-45, 1}, floats({-103.278929903431851103, 0})};
  CHECK(log.explains({-inf, 0}, {2, 0, 0}));
  CHECK_FALSE(log.explains({inf, 0}, {2, 0, 0}));
  const Case greater{
      "%z = constant float32[2] {0, 0}\n%y = greater(%x, %z)", {1e-45, 1e-30}, tensor(DataType::uint8, {2}, {1, 1})};
  CHECK(greater.explains(tensor(DataType::uint8, {2}, {0, 1})));
  CHECK_FALSE(greater.explains(tensor(DataType::uint8, {2}, {0, 0})));
}

TEST_CASE("test command: constants of a case are inputs, too") {
  const Case quotient{"%c = constant float32[3] {1e-45, -1e-40, 2}\n%y = div(%x, %c)", {0, 1, 4}, floats({0, -inf, 2})};
  CHECK(quotient.explains({nan, -inf, 2}));  // 0 / 0
  CHECK(quotient.explains({0, -inf, 2}));
  CHECK_FALSE(quotient.explains({0, nan, 2}));
  CHECK_FALSE(quotient.explains({nan, -inf, nan}));
}

}  // namespace webnn::tests::lost_subnormals_test
