// Verdicts on tensors whose difference is known, and the tolerances of operators.
#include "cli/compare/verdict.hpp"

#include <doctest/doctest.h>

#include "compiler/ir/parse.hpp"
#include "schema/error.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests::verdict_test {
namespace {

using namespace webnn::cli;

TensorVerdict judged(const Numbers& expected, const Numbers& actual, const std::string& tolerance,
                     const Allowance& allowance = {}) {
  const Shape shape{std::uint32_t(expected.size())};
  const TestTensor e = tensor(DataType::float32, shape, expected), a = tensor(DataType::float32, shape, actual);
  return judge("y", e.descriptor, a.data, e.data, tolerance.empty() ? ToleranceOptions{} : parse_tolerance(tolerance),
               allowance);
}

compiler::Graph graph_of(std::string_view text) {
  Diagnostics diagnostics;
  auto graph = compiler::parse(text, {}, diagnostics);
  REQUIRE(graph);
  return std::move(*graph);
}

TEST_CASE("compare verdict: each tolerance alone, and the smallest that would pass does pass") {
  const Numbers expected{1, 2, 1000}, actual{1, 2.002, 1001};
  CHECK(judged(expected, expected, "").passed);
  CHECK_FALSE(judged(expected, actual, "").passed);
  CHECK_FALSE(judged(expected, actual, "atol=0.9").passed);
  CHECK(judged(expected, actual, "atol=1").passed);
  CHECK(judged(expected, actual, "rtol=1.1e-3").passed);
  CHECK(judged(expected, actual, "cos=0.99999").passed);
  CHECK_FALSE(judged(expected, actual, "cos=0.99999,atol=0.9").passed);  // both must hold
  const std::string smallest = smallest_tolerance(judged(expected, actual, "atol=0"));
  CAPTURE(smallest);
  for (const std::string word : {"ulp=", "atol=", "rtol="}) {
    const std::string rest = smallest.substr(smallest.find(word));
    const std::string one = rest.substr(0, rest.find_first_of(", "));
    CHECK(judged(expected, actual, one).passed);
  }
  CHECK(smallest_tolerance(judged(expected, expected, "")).empty());
  CHECK(smallest_tolerance(judged({1}, {not_a_number}, "")) == "nothing finite");
}

TEST_CASE("compare verdict: the default allowance counts at the scale of the tensor") {
  // Ten units in the last place of 1000, wherever they happen.
  const double unit = 1000.0 / 8388608;
  CHECK(judged({0, 1000}, {9 * unit, 1000}, "", {10, 0}).passed);
  CHECK_FALSE(judged({0, 1000}, {11 * unit, 1000}, "", {10, 0}).passed);
  CHECK(judged({0.5}, {0.5 + 0.9 / 1024}, "", {0, 1.0 / 1024}).passed);
}

TEST_CASE("compare verdict: words of --tol") {
  CHECK(parse_tolerance("ulp=4,atol=1e-5,rtol=1e-3,cos=0.9").cosine == 0.9);
  CHECK(parse_tolerance("cos=1,ulp=2").cosine == 1);
  for (const char* wrong :
       {"", "ulp", "ulp=", "ulp=-1", "atol=x", "aotl=1", "atol=1;rtol=2", "atol=inf", "cos=1.01", "cos=2"})
    CHECK_THROWS_AS(parse_tolerance(wrong), Error);
}

TEST_CASE("compare tolerances: those of the Web Platform Tests, summed along the longest way") {
  const compiler::Graph graph = graph_of(R"(graph "g" {
  %x = input float32[1, 8, 6, 6]
  %w = constant float32[4, 8, 3, 3] {0...}
  %c = conv2d(%x, %w)
  %r = relu(%c)
  %t = tanh(%r)
  %s = reduceSum(%t) {axes=[1, 2, 3]}
  output "c" = %c
  output "s" = %s
}
)");
  const std::vector<Allowance> by_value = allowances_of(graph);
  const auto of = [&](const char* name) { return by_value[graph.find_value(name).index]; };
  CHECK(of("x").ulp == 0);
  CHECK(of("c").ulp == 2 * 8 * 9);  // twice the products of an element
  CHECK(of("r").ulp == of("c").ulp);
  CHECK(of("t").absolute == doctest::Approx(1.0 / 1024));
  CHECK(of("s").ulp == 2 * 8 * 9 + 4 * 4 * 4);
  CHECK(of("s").absolute == doctest::Approx(1.0 / 1024));
}

TEST_CASE("compare tolerances: what is rounded may be a neighbour, what is compared or chosen is right or wrong") {
  const compiler::Graph graph = graph_of(R"(graph "g" {
  %x = input float32[4, 64]
  %w = constant float32[64, 8] {0...}
  %scale = constant float32[1, 1] {1}
  %zero = constant int8[1, 1] {0}
  %p = matmul(%x, %w)
  %i = argMax(%p) {axis=1}
  %g = greater(%p, %scale)
  %q = quantizeLinear(%p, %scale, %zero)
  %v = reshape(%q) {newShape=[8, 4]}
  %n = cast(%p) {dataType=int32}
  output "i" = %i
  output "g" = %g
  output "v" = %v
  output "n" = %n
}
)");
  const std::vector<Allowance> by_value = allowances_of(graph);
  const auto of = [&](const char* name) { return by_value[graph.find_value(name).index].ulp; };
  CHECK(of("p") == 2 * 64);
  CHECK(of("i") == 0);
  CHECK(of("g") == 0);
  CHECK(of("q") == 1);
  CHECK(of("v") == 1);
  CHECK(of("n") == 1);
}

TEST_CASE("compare verdict: places are written as indices") {
  CHECK(place_text(Shape{2, 3, 4}, 0) == "[0, 0, 0]");
  CHECK(place_text(Shape{2, 3, 4}, 23) == "[1, 2, 3]");
  CHECK(place_text(Shape{}, 0) == "[]");
}

}  // namespace
}  // namespace webnn::tests::verdict_test
