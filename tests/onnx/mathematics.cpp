// Single ONNX operators against their definitions: forms that ONNX's own tests do not have.
#include <algorithm>
#include <cmath>
#include <complex>
#include <doctest/doctest.h>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/oracle/evaluate.hpp"
#include "compiler/onnx/import/import_onnx.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/harness/evaluate_graph.hpp"

namespace webnn::tests::onnx_mathematics_test {
namespace {

using compiler::OnnxAttribute;
using compiler::OnnxIntegers;
using compiler::OnnxNode;
using enum DataType;

struct OneNode {
  std::string op_type;
  std::int64_t opset = 13;
  std::vector<OnnxAttribute> attributes{};
  std::vector<std::size_t> constants{};  // inputs that are initializers
};

/// The node's first result. Throws std::runtime_error with what the reader says.
TestTensor run_onnx(const OneNode& one, const std::vector<TestTensor>& inputs) {
  compiler::OnnxModel model;
  model.opsets[""] = model.opset = one.opset;
  OnnxNode node;
  node.op_type = one.op_type;
  node.attributes = one.attributes;
  node.outputs = {"y"};
  TestTensors given;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& [descriptor, data] = inputs[i];
    const std::string name = "x" + std::to_string(i);
    const OnnxIntegers dims(descriptor.shape.begin(), descriptor.shape.end());
    node.inputs.push_back(name);
    if (std::ranges::find(one.constants, i) != one.constants.end()) {
      model.initializers.push_back({name, compiler::onnx_type(descriptor.type), dims, Bytes(data)});
      continue;
    }
    model.inputs.push_back({.name = name,
                            .type = compiler::onnx_type(descriptor.type),
                            .dims = dims,
                            .dim_names = std::vector<std::string>(dims.size())});
    given.emplace_back(name, inputs[i]);
  }
  model.nodes = {node};
  model.outputs = {{.name = "y", .dims = {}}};
  compiler::LoadOptions options;
  options.evaluate = api::reference_evaluate();
  Diagnostics diagnostics;
  const auto graph = compiler::import_onnx(model, options, diagnostics);
  if (!graph) throw std::runtime_error(render(diagnostics));
  return evaluate_graph(*graph, given)[0].second;
}

std::vector<double> reals(const TestTensor& tensor) {
  std::vector<double> result;
  for (const Number& number : numbers(tensor)) result.push_back(number.as_double());
  return result;
}

/// Numbers from `low` to `high`; integers are whole.
TestTensor random_tensor(DataType type, const Shape& shape, double low, double high) {
  static std::mt19937 generator(7);
  std::uniform_real_distribution<double> draw(low, high);
  Numbers elements(element_count(shape));
  for (Number& element : elements) element = is_float(type) ? draw(generator) : std::floor(draw(generator));
  return tensor(type, shape, elements);
}

/// Integers exactly, and others to a few units in the last place of a sum's terms.
void check_close(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance = 0) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    CAPTURE(i);
    if (std::isnan(expected[i]) || std::isinf(expected[i]) || tolerance == 0) {
      CHECK((actual[i] == expected[i] || (std::isnan(actual[i]) && std::isnan(expected[i]))));
    } else {
      CHECK(std::abs(actual[i] - expected[i]) <= tolerance * std::max(1.0, std::abs(expected[i])));
    }
  }
}

// ---- the definition of Einsum

/// For an equation with an arrow and without an ellipsis.
std::vector<double> einsum(const std::string& equation, const std::vector<TestTensor>& operands) {
  std::vector<std::string> terms;
  for (std::string rest = equation.substr(0, equation.find("->")) + ","; !rest.empty();
       rest = rest.substr(rest.find(',') + 1))
    terms.push_back(rest.substr(0, rest.find(',')));
  std::string letters = equation.substr(equation.find("->") + 2);
  const std::size_t kept = letters.size();
  for (const std::string& term : terms)
    for (const char letter : term)
      if (letters.find(letter) == std::string::npos) letters += letter;
  std::vector<unsigned> sizes(letters.size(), 1), index(letters.size(), 0);
  for (std::size_t t = 0; t < terms.size(); ++t)
    for (unsigned axis = 0; axis < terms[t].size(); ++axis)
      sizes[letters.find(terms[t][axis])] = operands[t].descriptor.shape[axis];
  std::size_t results = 1;
  for (std::size_t i = 0; i < kept; ++i) results *= sizes[i];
  std::vector<double> sums(results);
  std::vector<std::vector<double>> values;
  for (const TestTensor& operand : operands) values.push_back(reals(operand));
  for (bool is_done = false; !is_done;) {
    double product = 1;
    for (std::size_t t = 0; t < terms.size(); ++t) {
      std::size_t at = 0;
      for (unsigned axis = 0; axis < terms[t].size(); ++axis)
        at = at * operands[t].descriptor.shape[axis] + index[letters.find(terms[t][axis])];
      product *= values[t][at];
    }
    std::size_t result = 0;
    for (std::size_t i = 0; i < kept; ++i) result = result * sizes[i] + index[i];
    sums[result] += product;
    is_done = true;
    for (std::size_t i = letters.size(); i-- > 0 && is_done;) {
      is_done = ++index[i] == sizes[i];
      if (is_done) index[i] = 0;
    }
  }
  return sums;
}

}  // namespace

TEST_CASE("onnx mathematics: Einsum") {
  struct Case {
    const char* equation;
    std::vector<Shape> shapes;
  };
  for (const auto& [equation, shapes] : std::vector<Case>{{"ij,jk->ki", {{2, 3}, {3, 4}}},
                                                          {"bqhd,bkhd->bhqk", {{2, 3, 2, 4}, {2, 5, 2, 4}}},
                                                          {"ii->i", {{3, 3}}},
                                                          {"iijj->ij", {{2, 2, 3, 3}}},
                                                          {"iii->", {{3, 3, 3}}},
                                                          {"ij->", {{2, 3}}},
                                                          {"a,b,c->cab", {{2}, {3}, {4}}},
                                                          {"abc,cd,de->abe", {{2, 3, 4}, {4, 5}, {5, 2}}},
                                                          {"ij,ij->i", {{2, 3}, {2, 3}}},
                                                          {"ab,cd->bd", {{2, 3}, {3, 2}}},
                                                          {"ijk,jil->kl", {{2, 3, 4}, {3, 2, 5}}},
                                                          {",i->i", {{}, {3}}}}) {
    CAPTURE(equation);
    for (const DataType type : {float32, int32}) {
      std::vector<TestTensor> operands;
      for (const Shape& shape : shapes) operands.push_back(random_tensor(type, shape, -9, 9));
      check_close(reals(run_onnx({"Einsum", 13, {{"equation", std::string(equation)}}}, operands)),
                  einsum(equation, operands), type == float32 ? 1e-5 : 0);
    }
  }
  const TestTensor a = random_tensor(float32, {2, 3, 4}, -1, 1), b = random_tensor(float32, {1, 4, 5}, -1, 1);
  TestTensor matrix = b;
  matrix.descriptor.shape = {4, 5};
  check_close(reals(run_onnx({"Einsum", 13, {{"equation", std::string("...ij,...jk")}}}, {a, b})),
              einsum("aij,jk->aik", {a, matrix}), 1e-5);
  for (const char* const wrong : {"ij->ik", "ij,jk->ik", "ij->ii", "i->i", "i.j->i", "ijk->i"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(
        run_onnx({"Einsum", 13, {{"equation", std::string(wrong)}}}, {tensor(float32, {2, 2}, {1, 2, 3, 4})}),
        std::runtime_error);
  }
}

TEST_CASE("onnx mathematics: products of bytes are exact for sums beyond 2^24") {
  for (const unsigned terms : {8u, 300u, 3000u, 5000u})
    for (const bool is_constant : {false, true}) {
      CAPTURE(terms);
      const TestTensor a = random_tensor(uint8, {2, terms}, 200, 256), b = random_tensor(uint8, {terms, 3}, 200, 256);
      OneNode node{"MatMulInteger", 10};
      if (is_constant) node.constants = {1};
      check_close(reals(run_onnx(node, {a, b})), einsum("ij,jk->ik", {a, b}));
    }
  const TestTensor x = random_tensor(uint8, {1, 64, 3, 3}, 200, 256),
                   filter = random_tensor(int8, {2, 64, 3, 3}, 100, 128);
  check_close(reals(run_onnx({"ConvInteger", 10}, {x, filter})), einsum("abcd,ebcd->ae", {x, filter}));
}

TEST_CASE("onnx mathematics: functions that WebNN has not are accurate, and right at the ends of their ranges") {
  struct Case {
    const char* op_type;
    double (*function)(double);
  };
  std::vector<double> places{0,    1,    -1,    1e-30, -1e-4, 0.5,    -0.50001, 0.99999,   1.0001,      1499,
                             1501, 88.7, -89.2, 3e38,  -1e25, 0.4143, infinity, -infinity, not_a_number};
  for (int i = -100; i <= 100; ++i) {
    places.push_back(i / 100.0);
    places.push_back(std::tan(i / 65.0));
  }
  Numbers elements;
  std::vector<double> rounded;
  for (const double place : places) {
    elements.emplace_back(double(float(place)));
    rounded.push_back(float(place));
  }
  const TestTensor x = tensor(float32, {std::uint32_t(places.size())}, elements);
  for (const auto& [op_type, function] : {Case{"Acos", std::acos},
                                          {"Acosh", std::acosh},
                                          {"Asin", std::asin},
                                          {"Asinh", std::asinh},
                                          {"Atan", std::atan},
                                          {"Atanh", std::atanh},
                                          {"Cosh", std::cosh},
                                          {"Sinh", std::sinh}}) {
    CAPTURE(op_type);
    std::vector<double> expected;
    for (const double place : rounded) expected.push_back(double(float(function(place))));
    check_close(reals(run_onnx({op_type}, {x})), expected, 5e-7);
  }
}

TEST_CASE("onnx mathematics: Mod of floating point numbers is exact") {
  const TestTensor a = random_tensor(float32, {200}, -1e6, 1e6), b = random_tensor(float32, {200}, -30, 30);
  const std::vector<double> dividends = reals(a), divisors = reals(b);
  std::vector<double> expected;
  for (std::size_t i = 0; i < dividends.size(); ++i) expected.push_back(std::fmod(dividends[i], divisors[i]));
  check_close(reals(run_onnx({"Mod", 13, {{"fmod", std::int64_t{1}}}}, {a, b})), expected);
  const TestTensor ends = tensor(float32, {6}, {5.5, infinity, 1, -3e38, 1e38, 2});
  const TestTensor by = tensor(float32, {6}, {-infinity, 2, 0, 7e37, 3e30, not_a_number});
  const std::vector<double> big = reals(ends), of = reals(by);
  check_close(reals(run_onnx({"Mod", 13, {{"fmod", std::int64_t{1}}}}, {ends, by})),
              {5.5, not_a_number, not_a_number, std::fmod(big[3], of[3]), std::fmod(big[4], of[4]), not_a_number});
  CHECK_THROWS_AS(run_onnx({"Mod"}, {a, b}), std::runtime_error);
}

TEST_CASE("onnx mathematics: before version 7 an axis says where the second operand stands") {
  const TestTensor a = counting(float32, {2, 3, 4}), b = tensor(float32, {3}, {100, 200, 300});
  std::vector<double> expected = reals(a);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += 100.0 * double(i / 4 % 3 + 1);
  check_close(reals(run_onnx({"Add", 6, {{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{1}}}}, {a, b})),
              expected);
  CHECK_THROWS_AS(run_onnx({"Add", 7, {{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{1}}}}, {a, b}),
                  std::runtime_error);
}

TEST_CASE("onnx mathematics: Fourier transforms of other lengths than the signal's") {
  const TestTensor x = random_tensor(float32, {2, 5, 1}, -1, 1);
  const std::vector<double> values = reals(x);
  for (const unsigned length : {4u, 5u, 8u})
    for (const bool is_onesided : {false, true}) {
      CAPTURE(length);
      const unsigned bins = is_onesided ? length / 2 + 1 : length;
      std::vector<double> expected;
      for (std::size_t row = 0; row < 2; ++row)
        for (unsigned k = 0; k < bins; ++k) {
          std::complex<double> sum;
          for (unsigned n = 0; n < std::min(length, 5u); ++n)
            sum += values[row * 5 + n] * std::polar(1.0, -2 * std::numbers::pi * n * k / length);
          expected.insert(expected.end(), {sum.real(), sum.imag()});
        }
      const OneNode node{"DFT", 17, {{"onesided", std::int64_t{is_onesided}}}, {1}};
      check_close(reals(run_onnx(node, {x, scalar(int64, std::int64_t{length})})), expected, 2e-6);
    }
}

}  // namespace webnn::tests::onnx_mathematics_test
