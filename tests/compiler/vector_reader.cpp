// Reading conformance vectors.
#include "compiler/vectors/vector_reader.hpp"

#include <doctest/doctest.h>

#include "schema/elements/elements.hpp"
#include "schema/error.hpp"

namespace webnn::tests::vector_reader_test {
namespace {

using namespace webnn::compiler;

constexpr std::string_view one_vector = R"({"tests": [{
  "name": "shifted sum",
  "tolerance": {"metricType": "ULP", "value": 3},
  "graph": {
    "inputs": {
      "x": {"data": [1, {"number": "-Infinity"}], "descriptor": {"shape": [2], "dataType": "float16"}},
      "shift": {"data": 7, "descriptor": {"shape": [2], "dataType": "float16"}, "constant": true}
    },
    "operators": [
      {"name": "add", "arguments": [{"a": "x"}, {"b": "shift"}], "outputs": "sum"},
      {"name": "clamp", "arguments": [{"input": "sum"}, {"options": {"minValue": -1}}], "outputs": "y"}
    ],
    "expectedOutputs": {"y": {"data": [8, -1], "descriptor": {"shape": [2], "dataType": "float16"}}}
  }
}]})";

std::string replaced(std::string_view from, std::string_view to) {
  std::string text(one_vector);
  text.replace(text.find(from), from.size(), to);
  return text;
}

std::string error_of(const std::string& text) {
  const auto vectors = read_conformance_vectors(text, "test.json");
  REQUIRE(vectors.size() == 1);
  REQUIRE(!vectors[0].errors.empty());
  return vectors[0].errors.front();
}

TEST_CASE("vector reader: inputs, constants, operators, expected outputs and tolerance") {
  const auto vectors = read_conformance_vectors(one_vector, "test.json");
  REQUIRE(vectors.size() == 1);
  const ConformanceVector& vector = vectors[0];
  CHECK(vector.errors.empty());
  CHECK(vector.name == "shifted sum");
  CHECK(vector.tolerance.ulp == 3);
  CHECK(vector.graph.inputs().size() == 1);
  CHECK(vector.graph.order().size() == 2);
  REQUIRE(vector.inputs.size() == 1);
  CHECK(vector.inputs[0].name == "x");
  CHECK(load_element(DataType::float16, vector.inputs[0].tensor.data.data(), 1).text() == "-Infinity");
  const Value& shift = vector.graph.value(vector.graph.find_value("shift"));
  CHECK(shift.kind == Value::Kind::constant);
  CHECK(load_element(DataType::float16, shift.data.data(), 1) == Number(7.0));
  REQUIRE(vector.expected.size() == 1);
  CHECK(vector.graph.outputs()[0].name == "y");
}

TEST_CASE("vector reader: 64-bit integers are exact, as objects and as strings") {
  std::string text =
      replaced("[1, {\"number\": \"-Infinity\"}]", R"([{"bigint": "-9007199254740993"}, "9007199254740993"])");
  for (std::size_t at; (at = text.find("float16")) != std::string::npos;) text.replace(at, 7, "int64");
  const auto vectors = read_conformance_vectors(text, "test.json");
  REQUIRE(vectors[0].errors.empty());
  const std::byte* x = vectors[0].inputs[0].tensor.data.data();
  CHECK(load_element(DataType::int64, x, 0) == Number(std::int64_t{-9007199254740993}));
  CHECK(load_element(DataType::int64, x, 1) == Number(std::int64_t{9007199254740993}));
}

TEST_CASE("vector reader: tensors and results over the limit are errors of their vector") {
  const auto error_with_limit = [](const std::string& text, std::uint64_t limit) {
    const auto vectors = read_conformance_vectors(text, "test.json", limit);
    return vectors.at(0).errors.empty() ? std::string() : vectors[0].errors.front();
  };
  CHECK(error_with_limit(std::string(one_vector), 4).empty());
  CHECK(error_with_limit(std::string(one_vector), 3) ==
        "input 'shift': float16[2] takes 4 bytes, but the limit of a tensor is 3");
  // A constant that one number fills: memory for it would be 2 GiB.
  CHECK(error_with_limit(replaced("\"data\": 7, \"descriptor\": {\"shape\": [2]",
                                  "\"data\": 7, \"descriptor\": {\"shape\": [1073741823]"),
                         1000) ==
        "input 'shift': float16[1073741823] takes 2147483646 bytes, but the limit of a tensor is 1000");
  CHECK(error_with_limit(
            replaced("{\"name\": \"clamp\", \"arguments\": [{\"input\": \"sum\"}, {\"options\": {\"minValue\": "
                     "-1}}]",
                     "{\"name\": \"tile\", \"arguments\": [{\"input\": \"sum\"}, {\"repetitions\": [100]}]"),
            100) == "tile: float16[200] takes 400 bytes, but the limit of a tensor is 100");
}

TEST_CASE("vector reader: what is wrong is said") {
  CHECK_THROWS_AS(read_conformance_vectors("[", "test.json"), Error);
  CHECK_THROWS_AS(read_conformance_vectors("{}", "test.json"), Error);
  CHECK(error_of(replaced("\"add\"", "\"plus\"")).find("plus") != std::string::npos);
  CHECK(error_of(replaced("\"b\": \"shift\"", "\"b\": \"nothing\"")) == "there is no tensor 'nothing'");
  CHECK(error_of(replaced("\"data\": [1, ", "\"data\": [1, 2, ")) ==
        "input 'x': there are 3 elements, but float16[2] has 2");
  CHECK(error_of(replaced("[8, -1], \"descriptor\": {\"shape\": [2]", "[8, -1], \"descriptor\": {\"shape\": [2, 1]")) ==
        "output 'y' is float16[2], expected float16[2, 1]");
  CHECK(error_of(replaced("\"ULP\"", "\"percent\"")) == "the tolerance is neither ULP nor ATOL");
}

}  // namespace
}  // namespace webnn::tests::vector_reader_test
