// `inspect`: without weights, the graph's hash, and what differs between two files.
#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// y = relu(x + b) [op instead of relu], with b in the file itself, or in a weights file.
std::string graph_file(const ScratchFolder& scratch, const std::string& name, const std::string& init,
                       const std::string& op = "relu", const std::string& more = {}) {
  const auto file = scratch.path() / name;
  write_file(file, R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [2]}},
    "consts": {"b": {"dataType": "float32", "shape": [2], "init": )" +
                       init + R"(}},
    "nodes": [{"id": "s", "op": "add", "inputs": ["x", "b"]}, {"id": "y", "op": ")" +
                       op + R"(", "inputs": ["s"])" + more + R"(}], "outputs": {"y": "y"}})");
  return file.string();
}

const std::string ones = R"({"kind": "inlineBytes", "bytes": [0,0,128,63,0,0,128,63]})";
const std::string twos = R"({"kind": "inlineBytes", "bytes": [0,0,0,64,0,0,0,64]})";

std::string hash_of(const std::string& file) {
  return json::parse(webnn_cli({"inspect", file, "--output-format", "json", "--hash"}).out)["hash"];
}
std::string whole_hash_of(const std::string& file) {
  return json::parse(webnn_cli({"inspect", file, "--output-format", "json", "--hash"}).out)["wholeHash"];
}

TEST_CASE("cli inspect: a graph is shown without its weights file") {
  const ScratchFolder scratch;
  const std::string file = graph_file(scratch, "m.json", R"({"kind": "weights", "ref": "b"})");
  const CommandResult text = webnn_cli({"inspect", file, "--nodes"});
  CHECK(text.code == 0);
  CHECK(text.err.empty());
  CHECK(contains(text.out, "weights 1 constants, 8 B; those of 1 are in a file that is not there"));
  CHECK(contains(text.out, "relu"));
  CHECK(json::parse(webnn_cli({"inspect", file, "--output-format", "json"}).out)["missingWeights"] == 1);
  CHECK(webnn_cli({"inspect", file, "--dot"}).code == 0);
  CHECK(webnn_cli({"inspect", file, "--hash"}).code == 6);
  for (const std::string command : {"validate", "run"}) CHECK(webnn_cli({command, file}).code == 3);
  write_file(scratch.path() / "m.safetensors", "damaged");  // what is there has to be right
  CHECK(webnn_cli({"inspect", file}).code == 3);
}

TEST_CASE("cli inspect: the hash is the graph's, in whatever form it is written") {
  const ScratchFolder scratch;
  const std::string file = graph_file(scratch, "a.json", ones);
  CHECK(contains(webnn_cli({"inspect", file}).out, "hash    " + hash_of(file)));
  for (const std::string other : {"b.webnn", "c.wnnb", "d.json"}) {
    const std::string converted = (scratch.path() / other).string();
    REQUIRE(webnn_cli({"convert", file, "-o", converted}).code == 0);
    CHECK(hash_of(converted) == hash_of(file));
    CHECK(whole_hash_of(converted) == whole_hash_of(file));
  }
  const std::string weights = graph_file(scratch, "e.json", twos), node = graph_file(scratch, "f.json", ones, "abs");
  CHECK(hash_of(weights) == hash_of(file));
  CHECK(whole_hash_of(weights) != whole_hash_of(file));
  CHECK(hash_of(node) != hash_of(file));
}

TEST_CASE("cli inspect --diff: graphs that are the same, and what differs between others") {
  const ScratchFolder scratch;
  const std::string file = graph_file(scratch, "a.json", ones);
  const std::string same = (scratch.path() / "same.webnn").string();
  REQUIRE(webnn_cli({"convert", file, "-o", same}).code == 0);
  const CommandResult equal = webnn_cli({"inspect", file, "--diff", same});
  CHECK(equal.code == 0);
  CHECK(equal.out == file + " and " + same + " hold the same\n");

  const std::string other = graph_file(scratch, "b.json", twos, "elu", R"(, "options": {"alpha": 0.5})");
  const CommandResult result = webnn_cli({"inspect", file, "--diff", other});
  CHECK(result.code == 1);
  CHECK(result.out == file + " (-) and " + other +
                          " (+): 2 differences\n"
                          "~ constant 'b'\n"
                          "    content: {1...} -> {2...}\n"
                          "~ node 'y'\n"
                          "    operator: relu -> elu\n"
                          "    alpha: (none) -> 0.5\n");
  const json report = json::parse(webnn_cli({"inspect", file, "--diff", other, "--output-format", "json"}).out);
  CHECK(report["schema"] == "webnn-cli/inspect-diff/1");
  CHECK(report["same"] == false);
  CHECK(report["differences"][1]["facts"][0]["second"] == "elu");
}

TEST_CASE("cli inspect --diff: what only one graph has") {
  const ScratchFolder scratch;
  const std::string file = graph_file(scratch, "a.json", ones);
  const std::string other = (scratch.path() / "b.json").string();
  write_file(other, R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [2]}},
    "nodes": [{"id": "y", "op": "relu", "inputs": ["x"]}], "outputs": {"y": "y"}})");
  const std::string out = webnn_cli({"inspect", file, "--diff", other}).out;
  CHECK(contains(out, "- constant 'b'  type float32[2], content {1...}\n"));
  CHECK(contains(out, "- node 's'  operator add, inputs x, b, results float32[2]\n"));
  CHECK(contains(out, "    inputs: s -> x\n"));
  CHECK(contains(webnn_cli({"inspect", other, "--diff", file}).out, "+ node 's'  operator add"));
}

TEST_CASE("cli inspect --diff: programs, and files that do not go together") {
  const ScratchFolder scratch;
  const std::string file = (source_dir() / "models/digits/digits.json").string();
  const std::string fast = (scratch.path() / "a.wnnc").string(), plain = (scratch.path() / "b.wnnc").string();
  REQUIRE(webnn_cli({"compile", file, "-o", fast}).code == 0);
  REQUIRE(webnn_cli({"compile", file, "-o", plain, "--kernels", "reference"}).code == 0);
  CHECK(webnn_cli({"inspect", fast, "--diff", fast}).code == 0);
  const CommandResult result = webnn_cli({"inspect", fast, "--diff", plain});
  CHECK(result.code == 1);
  CHECK(contains(result.out, "reference.conv2d"));
  CHECK(webnn_cli({"inspect", fast, "--diff", file}).code == 2);
  CHECK(webnn_cli({"inspect", file, "--diff", file, "--dot"}).code == 2);
  CHECK(webnn_cli({"inspect", file, "--diff", (scratch.path() / "none.json").string()}).code == 6);
}

}  // namespace
}  // namespace webnn::tests
