// Every operator on every combination of types that its row allows: a kernel exists, and small numbers give the same
// results whatever the type.
#include <cmath>
#include <map>
#include <string>

#include "tests/harness/run_operator.hpp"

namespace webnn::tests::reference_types_test {
namespace {

using enum DataType;

/// A call that every type can make: shapes of the required operands (of all, for a list), and attributes.
struct Sample {
  std::vector<Shape> shapes;
  NamedAttributes attributes{};
};

/// Calls of the operators that a plain matrix for each operand does not suit.
const std::map<std::string_view, Sample>& special_samples() {
  static const std::map<std::string_view, Sample> samples{
      {"cast", {{{2, 3}}, {{"dataType", float32}}}},
      {"reshape", {{{2, 3}}, {{"newShape", IntegerList{6}}}}},
      {"concat", {{{2, 3}, {2, 1}}, {{"axis", 1}}}},
      {"expand", {{{2, 1}}, {{"newShape", IntegerList{2, 2}}}}},
      {"pad", {{{3}}, {{"beginningPadding", IntegerList{1}}, {"endingPadding", IntegerList{1}}}}},
      {"slice", {{{3}}, {{"starts", IntegerList{1}}, {"sizes", IntegerList{2}}}}},
      {"split", {{{4}}, {{"splits", 2}}}},
      {"tile", {{{2}}, {{"repetitions", IntegerList{2}}}}},
      {"gather", {{{4, 2}, {2}}}},
      {"gatherElements", {{{4, 2}, {1, 2}}}},
      {"gatherND", {{{4, 2}, {1, 1}}}},
      {"scatterElements", {{{4, 2}, {1, 2}, {1, 2}}}},
      {"scatterND", {{{4, 2}, {1, 1}, {1, 2}}}},
      {"argMin", {{{2, 3}}, {{"axis", 1}}}},
      {"argMax", {{{2, 3}}, {{"axis", 1}}}},
      {"cumulativeSum", {{{2, 3}}, {{"axis", 1}}}},
      {"softmax", {{{2, 3}}, {{"axis", 1}}}},
      {"batchNormalization", {{{2, 3}, {3}, {3}}}},
      {"instanceNormalization", {{{1, 1, 2, 3}}}},
      {"averagePool2d", {{{1, 1, 3, 3}}, {{"windowDimensions", IntegerList{2, 2}}}}},
      {"l2Pool2d", {{{1, 1, 3, 3}}, {{"windowDimensions", IntegerList{2, 2}}}}},
      {"maxPool2d", {{{1, 1, 3, 3}}, {{"windowDimensions", IntegerList{2, 2}}}}},
      {"conv2d", {{{1, 1, 3, 3}, {1, 1, 2, 2}}}},
      {"convTranspose2d", {{{1, 1, 3, 3}, {1, 1, 2, 2}}}},
      {"gemm", {{{2, 3}, {3, 2}}}},
      {"matmul", {{{2, 3}, {3, 2}}}},
      {"resample2d", {{{1, 1, 2, 2}}, {{"scales", RealList{2, 2}}}}},
      {"gru", {{{2, 1, 3}, {1, 6, 3}, {1, 6, 2}}, {{"steps", 2}, {"hiddenSize", 2}}}},
      {"gruCell", {{{1, 3}, {6, 3}, {6, 2}, {1, 2}}, {{"hiddenSize", 2}}}},
      {"lstm", {{{2, 1, 3}, {1, 8, 3}, {1, 8, 2}}, {{"steps", 2}, {"hiddenSize", 2}}}},
      {"lstmCell", {{{1, 3}, {8, 3}, {8, 2}, {1, 2}, {1, 2}}, {{"hiddenSize", 2}}}},
  };
  return samples;
}

Sample sample_of(const Operator& op) {
  const auto special = special_samples().find(op.name);
  if (special != special_samples().end()) return special->second;
  Sample sample;
  for (const OperandRow& operand : op.operands)
    if (operand.arity == Arity::one) sample.shapes.push_back({2, 3});
  return sample;
}

std::vector<DataType> types_in(DataTypes set) {
  std::vector<DataType> types;
  for (std::size_t i = 0; i < data_type_count; ++i)
    if (set.contains(DataType(i))) types.push_back(DataType(i));
  return types;
}

/// Calls visit(types of the operands) for all combinations; operands that share a variable share a type.
template <typename Visit>
void for_each_combination(const Operator& op, std::size_t operand_count, std::vector<DataType>& chosen, Visit&& visit) {
  const std::size_t place = chosen.size();
  if (place == operand_count) return visit(chosen);
  const auto row_of = [&](std::size_t i) { return op.operands[op.variadic() ? 0 : i]; };
  const OperandRow operand = row_of(place);
  std::vector<DataType> candidates = types_in(operand.types);
  for (std::size_t i = 0; i < place; ++i)
    if (operand.variable != 0 && row_of(i).variable == operand.variable) candidates = {chosen[i]};
  for (const DataType type : candidates) {
    chosen.push_back(type);
    for_each_combination(op, operand_count, chosen, visit);
    chosen.pop_back();
  }
}

/// 1, 2, .., 5, 1, ..: small enough for every type.
TestTensor small_numbers(DataType type, const Shape& shape) {
  Numbers elements(element_count(shape));
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = Number(int(i % 5 + 1));
  return tensor(type, shape, elements);
}

/// Whether `actual` is `expected` as its type can say it: truncated for integers; what does not fit is not looked at.
bool agrees(DataType type, const Number& actual, const Number& expected) {
  const double value = expected.as_double();
  if (is_float(type)) return std::fabs(actual.as_double() - value) <= 0.002 + 0.002 * std::fabs(value);
  const double highest = std::ldexp(1.0, int(bits_of(type)) - is_signed(type)) - 1;
  const double whole = std::trunc(value);
  if (whole > highest || whole < (is_signed(type) ? -highest - 1 : 0)) return true;
  return actual.as_double() == whole;
}

TEST_CASE("reference types: every allowed combination runs and agrees with the first") {
  for (const Operator& op : operator_table()) {
    if (op.internal()) continue;
    const Sample sample = sample_of(op);
    std::vector<DataType> chosen;
    std::vector<Numbers> first;
    for_each_combination(op, sample.shapes.size(), chosen, [&](const std::vector<DataType>& types) {
      OptionalTensors inputs;
      std::string call(op.name);
      for (std::size_t i = 0; i < types.size(); ++i) {
        inputs.push_back(small_numbers(types[i], sample.shapes[i]));
        call += " " + std::string(short_name_of(types[i]));
      }
      CAPTURE(call);
      std::vector<TestTensor> outputs;
      REQUIRE_NOTHROW(outputs = run_operator(op.name, inputs, sample.attributes));
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Numbers values = numbers(outputs[i]);
        if (first.size() == i) first.push_back(values);
        for (std::size_t n = 0; n < values.size(); ++n)
          CHECK_MESSAGE(agrees(outputs[i].descriptor.type, values[n], first[i][n]), "output ", i, " element ", n, ": ",
                        values[n].text(), ", expected ", first[i][n].text());
      }
    });
  }
}

TEST_CASE("reference types: cast between every pair") {
  for (const DataType from : types_in(row("cast"_op).operands[0].types))
    for (const DataType to : types_in(row("cast"_op).operands[0].types)) {
      CAPTURE(name_of(from));
      CAPTURE(name_of(to));
      const auto result = run_operator("cast", {small_numbers(from, {7})}, {{"dataType", to}});
      CHECK(result[0] == small_numbers(to, {7}));
    }
}

}  // namespace
}  // namespace webnn::tests::reference_types_test
