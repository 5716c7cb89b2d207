// JSON to text and back: what the text form has no words of its own for comes back as it was.
#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::round_trip_test {
namespace {

using nlohmann::json;

/// The graph as `convert` writes it to JSON after it has been text, and the text.
struct Trip {
  json back;
  std::string text;
};
Trip there_and_back(const ScratchFolder& scratch, const std::string& graph, const std::string& weights) {
  const auto at = [&](const std::string& name) { return (scratch.path() / weights / name).string(); };
  write_file(at("a.json"), graph);
  for (const auto& [from, to] : {std::pair("a.json", "b.webnn"), std::pair("b.webnn", "c.json")}) {
    const CommandResult result = webnn_cli({"convert", at(from), "-o", at(to), "--weights", weights});
    CAPTURE(result.err);
    REQUIRE(result.code == 0);
  }
  return {json::parse(read_file(at("c.json"))), read_file(at("b.webnn"))};
}

TEST_CASE("cli convert: scalar inits stay numbers from JSON through text to JSON") {
  const ScratchFolder scratch;
  const std::string constants = R"(
    "tenth": {"dataType": "float32", "shape": [], "init": {"kind": "scalar", "value": 0.1}},
    "many": {"dataType": "float16", "shape": [2, 3], "init": {"kind": "scalar", "value": -0.5}},
    "big": {"dataType": "int64", "shape": [1], "init": {"kind": "scalar", "value": "9007199254740993"}},
    "nibbles": {"dataType": "int4", "shape": [3], "init": {"kind": "scalar", "value": -7}},
    "nan": {"dataType": "float32", "shape": [1], "init": {"kind": "scalar", "value": "NaN"}},
    "bytes": {"dataType": "uint8", "shape": [2], "init": {"kind": "inlineBytes", "bytes": [7, 7]}})";
  const std::string graph = R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [1]}}, "consts": {)" +
                            constants + R"(}, "nodes": [{"id": "y", "op": "add", "inputs": ["x", "tenth"]}],
    "outputs": {"y": "y"}})";
  const json before = json::parse(graph)["consts"];
  for (const std::string weights : {"inline", "manifest", "keep"}) {
    const Trip trip = there_and_back(scratch, graph, weights);
    CAPTURE(weights);
    CAPTURE(trip.text);
    CHECK(contains(trip.text, "tenth: f32[] @scalar(0.1);"));
    for (const auto& [name, constant] : before.items()) {
      CAPTURE(name);
      if (constant["init"]["kind"] == "scalar")
        CHECK(trip.back["consts"][name]["init"] == constant["init"]);
      else
        CHECK(trip.back["consts"][name]["init"]["kind"] == (weights == "manifest" ? "weights" : "inlineBytes"));
    }
  }
  // The weights file has none of them.
  CHECK(std::filesystem::file_size(scratch.path() / "manifest/c.weights") == 8 + 2);
}

TEST_CASE("cli convert: two outputs of one value stay two outputs of one value") {
  const ScratchFolder scratch;
  const std::string graph = R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [1]}},
    "nodes": [{"id": "y", "op": "relu", "inputs": ["x"]}, {"id": "same", "op": "identity", "inputs": ["y"]}],
    "outputs": {"p": "y", "q": "y", "same": "same"}})";
  const Trip trip = there_and_back(scratch, graph, "inline");
  CAPTURE(trip.text);
  CHECK(contains(trip.text, "q = identity(p);"));
  REQUIRE(trip.back["nodes"].size() == 2);
  CHECK(trip.back["outputs"]["p"] == trip.back["outputs"]["q"]);
  CHECK(trip.back["outputs"]["same"] == "same");  // an operator of the graph's own stays one
  CHECK(trip.back["nodes"][1]["op"] == "identity");
  const json again = there_and_back(scratch, trip.back.dump(), "keep").back;
  CHECK(again == trip.back);
}

}  // namespace
}  // namespace webnn::tests::round_trip_test
