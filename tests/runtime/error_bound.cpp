// The error bound of the harness holds for what reference kernels give in the types of the graph, and for little else.
#include "tests/harness/error_bound/error_bound.hpp"

#include <cmath>
#include <doctest/doctest.h>

#include "schema/elements/elements.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/random/random_call.hpp"
#include "tests/harness/random/random_graph.hpp"

namespace error_bound_test {

using namespace webnn;
using namespace webnn::tests;

namespace {

BoundedTensor only_output(const std::string& lines, const TestTensor& x) {
  return bounded_outputs(graph_of(lines), {{"x", x}}).at(0).second;
}

TestTensor floats(const Numbers& elements) {
  return tensor(DataType::float32, {std::uint32_t(elements.size())}, elements);
}

}  // namespace

TEST_CASE("error bound: what is not rounded has none") {
  const TestTensor x = floats({1.5, -3, 0.1, 7});
  for (const char* op : {"relu(%x)", "neg(%x)", "max(%x, %x)", "reverse(%x)", "reduceMax(%x)", "floor(%x)"}) {
    const BoundedTensor y = only_output(std::string("%x = input float32[4]\n%y = ") + op + "\noutput \"y\" = %y\n", x);
    for (const double bound : y.bounds) CHECK_MESSAGE(bound == 0, op);
  }
}

TEST_CASE("error bound: what cancels keeps the error of what it was") {
  const BoundedTensor y = only_output(
      "%x = input float32[2]\n%c = constant float32[] {1e6}\n%a = add(%x, %c)\n%y = sub(%a, %c)\noutput \"y\" = %y\n",
      floats({0.1, 0.3}));
  CHECK(y.value(0) == doctest::Approx(0.1));
  CHECK(y.bounds[0] > 0.03);  // float32 has steps of 1/16 at a million
  CHECK(y.bounds[0] < 1);
}

TEST_CASE("error bound: nothing is known of what lies on an edge") {
  const std::string third = "%x = input float32[2]\n%t = constant float32[] {3}\n%q = div(%x, %t)\n%m = mul(%q, %t)\n";
  const TestTensor x = floats({1, 0});
  const auto unknown_part = [&](const std::string& more) {
    const BoundedTensor y = only_output(third + more + "output \"y\" = %y\n", x);
    return std::pair(y.bounds[0] == unknown, y.bounds[1] == unknown);
  };
  const std::pair yes_and_no(true, false);
  CHECK(unknown_part("%o = constant float32[2] {1, 1}\n%y = greaterOrEqual(%m, %o)\n") == yes_and_no);
  CHECK(unknown_part("%o = constant float32[2] {1, 1}\n%y = equal(%m, %o)\n") == yes_and_no);
  CHECK(unknown_part("%s = sub(%m, %x)\n%y = reciprocal(%s)\n") == yes_and_no);
  CHECK(unknown_part("%o = constant float32[2] {1, 1}\n%g = greater(%m, %o)\n%y = where(%g, %x, %t)\n") == yes_and_no);
  CHECK(unknown_part("%o = constant float32[2] {1, 1}\n%g = greater(%m, %o)\n%y = where(%g, %x, %x)\n") ==
        std::pair(false, false));
  // The sum may be the greatest number or infinity.
  const std::string sum = "%x = input float16[2]\n%b = constant float16[] {0.001}\n%s = add(%x, %b)\n";
  const BoundedTensor y =
      only_output(sum + "%y = equal(%s, %x)\noutput \"y\" = %y\n", tensor(DataType::float16, {2}, {65504, 1}));
  CHECK(y.bounds[0] == unknown);
}

TEST_CASE("error bound: NaN and infinities are where they must be") {
  const BoundedTensor y = only_output(
      "%x = input float32[1,3]\n%w = constant float32[3,3] {1, 0, 1, 0, 1, 0, 0, 0, 1}\n%y = matmul(%x, %w)\n"
      "output \"y\" = %y\n",
      tensor(DataType::float32, {1, 3}, {infinity, 1, 2}));
  const TestTensor actual = tensor(DataType::float32, {1, 3}, {infinity, not_a_number, infinity});
  CHECK(check_within(y, actual.data).beyond == 0);
  CHECK(check_within(y, tensor(DataType::float32, {1, 3}, {infinity, 1, infinity}).data).first == 1);
  CHECK(check_within(y, tensor(DataType::float32, {1, 3}, {infinity, not_a_number, 3e38}).data).first == 2);
}

TEST_CASE("error bound: a result past the greatest number is an infinity and nothing else") {
  const BoundedTensor y = only_output("%x = input float16[2]\n%y = mul(%x, %x)\noutput \"y\" = %y\n",
                                      tensor(DataType::float16, {2}, {300, 3}));
  CHECK(check_within(y, tensor(DataType::float16, {2}, {infinity, 9}).data).beyond == 0);
  CHECK(check_within(y, tensor(DataType::float16, {2}, {65504, 9}).data).beyond == 1);
}

TEST_CASE("error bound: a sum that lacks one of its terms is beyond it") {
  std::mt19937 engine(3);
  std::uint32_t terms = 0;
  SUBCASE("of 64") { terms = 64; }
  SUBCASE("of 300") { terms = 300; }
  SUBCASE("of 3000") { terms = 3000; }
  Numbers elements;
  for (std::uint32_t i = 0; i < terms; ++i) elements.push_back(1 + double(engine() % 1000) / 1000);
  const TestTensor a = tensor(DataType::float32, {1, terms}, elements),
                   b = tensor(DataType::float32, {terms, 1}, elements);
  const KernelSpec spec = operator_spec("matmul", {a, b});
  const std::vector<BoundedTensor> bounded = bounded_outputs(spec, OptionalTensors{a, b});
  CHECK(check_within(bounded[0], run_operator("matmul", {a, b})[0].data).beyond == 0);
  elements.back() = 0;
  const TestTensor shorter = tensor(DataType::float32, {terms, 1}, elements);
  CHECK(check_within(bounded[0], run_operator("matmul", {a, shorter})[0].data).beyond == 1);
}

TEST_CASE("error bound: sums of small integers are exact, so that the last of 65,537 terms is missed") {
  const TestTensor ones = tensor(DataType::float32, {65537}, Numbers(65537, Number(1)));
  const KernelSpec spec = operator_spec("reduceSum", {ones});
  const std::vector<BoundedTensor> bounded = bounded_outputs(spec, OptionalTensors{ones});
  CHECK(check_within(bounded[0], scalar(DataType::float32, 65537).data).beyond == 0);
  CHECK(check_within(bounded[0], scalar(DataType::float32, 65536).data).beyond == 1);
}

TEST_CASE("error bound: every operator's reference kernel is within it, in every type; a wrong element is beyond it") {
  std::mt19937 engine(11);
  std::size_t calls = 0, noticed = 0;
  for (std::uint16_t index = 0; index < all_operators().size(); ++index) {
    const Operator& op = row(OperatorId{index});
    for (std::size_t type = 0; type < data_type_count; ++type) {
      if (!op.operands[0].types.contains(DataType(type)) || op.name == "@reorder") continue;
      CAPTURE(op.name);
      CAPTURE(name_of(DataType(type)));
      for (int repeat = 0; repeat < 3; ++repeat) {
        const RandomCall call = random_call({index}, DataType(type), engine);
        const std::vector<BoundedTensor> bounded = bounded_outputs(call.spec, call.inputs);
        std::vector<TestTensor> actual = run_kernel(find_reference_kernel(call.spec), call.spec, call.inputs);
        for (std::size_t i = 0; i < actual.size(); ++i) {
          const BoundCheck check = check_within(bounded[i], actual[i].data);
          REQUIRE_MESSAGE(check.beyond == 0, check.text);
          // A 0 among factors whose product is infinite gives 0 or NaN, depending on their order.
          if (op.name != "reduceProduct") REQUIRE(check.unknown * 4 <= check.count);
          ++calls;
          const std::size_t at = engine() % check.count;
          const double is = bounded[i].value(at);
          store_element(Number(is_float(actual[i].descriptor.type) ? is * 1.02 + 0.02
                               : is > 1                            ? is - 2
                                                                   : is + 2),
                        actual[i].descriptor.type, actual[i].data.data(), at);
          noticed += check_within(bounded[i], actual[i].data).beyond;
        }
      }
    }
  }
  MESSAGE(calls << " results, " << noticed << " wrong elements noticed");
  CHECK(calls > 800);
  CHECK(noticed * 100 > calls * 95);
}

TEST_CASE("error bound: random graphs by reference kernels are within it") {
  std::size_t elements = 0, unknown_elements = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const compiler::Graph graph = random_graph(seed);
    std::mt19937 engine(seed);
    const TestTensors inputs = random_inputs(graph, engine);
    const TestTensors actual = evaluate_graph(graph, inputs);
    const auto bounded = bounded_outputs(graph, inputs);
    for (std::size_t i = 0; i < actual.size(); ++i) {
      CAPTURE(actual[i].first);
      const BoundCheck check = check_within(bounded[i].second, actual[i].second.data);
      CHECK_MESSAGE(check.beyond == 0, check.text);
      elements += check.count;
      unknown_elements += check.unknown;
    }
  }
  MESSAGE(elements << " elements, nothing is known of " << unknown_elements);
  CHECK(elements > 1000);
  CHECK(unknown_elements * 5 < elements);
}

}  // namespace error_bound_test
