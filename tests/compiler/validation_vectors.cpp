// The Web Platform Tests' validation cases: each call gives the stated outputs or is refused.
#include <algorithm>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <vector>

#include "compiler/vectors/validation_vector.hpp"
#include "compiler/vectors/vector_arguments.hpp"
#include "tests/harness/paths.hpp"

namespace validation_vectors_test {

using namespace webnn::compiler;
using nlohmann::json;

TEST_CASE("validation vectors: every case of the corpus") {
  WEBNN_REQUIRE_CORPUS(folder);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "wpt" / "validation"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  int cases = 0, passed = 0;
  for (const auto& file : files) {
    const json vectors = json::parse(webnn::tests::read_file(file));
    for (const json& vector : vectors.at("tests")) {
      const VectorOutcome outcome = run_validation_vector(vector);
      ++cases;
      passed += outcome.passed;
      CHECK_MESSAGE(outcome.passed, file.filename().string()
                                        << ": " << vector.at("name").get<std::string>() << ": " << outcome.message);
    }
  }
  MESSAGE(passed << " of " << cases << " validation vectors passed");
  CHECK(cases >= 1341);
}

TEST_CASE("validation vectors: a vector that is wrong itself does not pass") {
  const auto message = [](const char* text) {
    const VectorOutcome outcome = run_validation_vector(json::parse(text));
    CHECK_FALSE(outcome.passed);
    return outcome.message;
  };
  CHECK(message("[]") == "the vector is not an object");
  CHECK(message(R"({"args": [], "error": "TypeError"})") == "the vector has no 'op'");
  CHECK(message(R"({"op": "relu", "error": "TypeError"})") == "the vector has no list 'args'");
  CHECK(message(R"({"op": "relu", "args": []})") == "the vector needs 'outputs' or 'error'");
  CHECK(message(R"({"op": "rely", "args": [], "error": "TypeError"})") == "the vector names no operator: 'rely'");
  const char* relu = R"({"op": "relu", "args": [{"operand": {"dataType": "float32", "shape": [2]}}], )";
  CHECK(message((relu + std::string(R"("error": "TypeError"})")).c_str()) == "accepted, giving float32[2]");
  CHECK(message((relu + std::string(R"("outputs": [{"dataType": "float32", "shape": [3]}]})")).c_str()) ==
        "gives float32[2], expected float32[3]");
}

namespace {

/// Reads a call's positional arguments; the first error, or "" when there is none.
std::string argument_error(std::string_view op, const char* text) {
  const json arguments = json::parse(text);
  std::vector<const json*> positional;
  for (const json& argument : arguments) positional.push_back(&argument);
  const VectorCall call = read_vector_call(row(find_operator(op).value()), positional);
  return call.errors.empty() ? "" : call.errors.front();
}

}  // namespace

TEST_CASE("vector arguments: required operands, required attributes, then a dictionary") {
  const json named = json::parse(
      R"([{"input": "x"}, {"filter": "w"}, {"options": {"bias": "b", "strides": [2, 2], "label": "c", "groups": null}}])");
  const VectorCall call = read_vector_call(row("conv2d"_op), positional_arguments(named));
  REQUIRE(call.errors.empty());
  REQUIRE(call.operands.size() == 3);
  CHECK(*call.operands[0] == "x");
  CHECK(*call.operands[1] == "w");
  CHECK(*call.operands[2] == "b");
  const auto at = [&call](std::string_view name) {
    return call.attributes[std::size_t(row("conv2d"_op).attribute_index(name))];
  };
  CHECK(at("strides") == AttributeValue(IntegerList{2, 2}));
  CHECK_FALSE(at("groups"));
  CHECK_FALSE(at("padding"));
}

TEST_CASE("vector arguments: numbers that JSON cannot hold") {
  const auto number = [](const char* text) { return read_vector_number(json::parse(text)); };
  CHECK(number(R"({"number": "-Infinity"})")->text() == "-Infinity");
  CHECK(number(R"({"number": "NaN"})")->is_nan());
  CHECK(number(R"({"bigint": "9007199254740993"})") == Number(std::int64_t{9007199254740993}));
  CHECK(number(R"({"bigint": "18446744073709551615"})")->text() == "18446744073709551615");
  CHECK(number("18446744073709551615")->text() == "18446744073709551615");
  CHECK(number("-3") == Number(-3));
  CHECK(number("0.5") == Number(0.5));
  CHECK_FALSE(number(R"({"bigint": "18446744073709551616"})"));
  CHECK_FALSE(number(R"({"bigint": "12x"})"));
  CHECK_FALSE(number(R"({"bigint": ""})"));
  CHECK_FALSE(number(R"({"number": "1"})"));
  CHECK_FALSE(number(R"("1")"));
}

TEST_CASE("vector arguments: what JavaScript could not pass is refused") {
  CHECK(argument_error("softmax", R"(["x", 1])") == "");
  CHECK(argument_error("softmax", R"(["x", 1.0])") == "");
  CHECK(argument_error("softmax", R"(["x", 1.5])") == "'axis' must be an integer, but is '1.5'");
  CHECK(argument_error("softmax", R"(["x", {"bigint": "1"}])") ==
        R"('axis' must be an integer, but is '{"bigint":"1"}')");
  CHECK(argument_error("softmax", R"(["x", {"number": "NaN"}])") ==
        R"('axis' must be an integer, but is '{"number":"NaN"}')");
  CHECK(argument_error("softmax", R"(["x", 18446744073709551615])") ==
        "'axis' must be an integer, but is '18446744073709551615'");
  CHECK(argument_error("elu", R"(["x", {"alpha": {"bigint": "1"}}])") ==
        R"('alpha' must be a number, but is '{"bigint":"1"}')");
  CHECK(argument_error("cast", R"(["x", "float64"])") == "'dataType' must be a data type, but is '\"float64\"'");
  CHECK(argument_error("concat", R"(["x", "y", 0])") == "'inputs' of concat must be a list of operands");
  CHECK(argument_error("add", R"(["x", 3])") == "'b' of add must be an operand");
  CHECK(argument_error("relu", R"(["x", {}, {}])") == "relu takes at most 2 arguments, but there are 3");
  CHECK(argument_error("relu", R"(["x", "y"])") == "the last argument of relu must be a dictionary of options");
  CHECK(argument_error("elu", R"(["x", {"alhpa": 1}])") == "elu has no option 'alhpa', did you mean 'alpha'?");
  CHECK(argument_error("maxPool2d", R"(["x", {"roundingType": "ceil"}])") == "");
}

}  // namespace validation_vectors_test
