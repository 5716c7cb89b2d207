// `inspect`: without weights, the graph's hash, and what differs between two files.
#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::inspect_test {
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
  CHECK(contains(text.out, "weights 1 constant, 8 B; those of 1 are in a file that is not there"));
  CHECK(contains(text.out, "relu"));
  CHECK(json::parse(webnn_cli({"inspect", file, "--output-format", "json"}).out)["missingWeights"] == 1);
  CHECK(webnn_cli({"inspect", file, "--dot"}).code == 0);
  CHECK(webnn_cli({"inspect", file, "--hash"}).code == 6);
  for (const std::string command : {"validate", "run"}) CHECK(webnn_cli({command, file}).code == 3);
  write_file(scratch.path() / "m.safetensors", "damaged");  // what is there has to be right
  CHECK(webnn_cli({"inspect", file}).code == 3);
}

TEST_CASE("cli inspect: the cost of a small graph is not 0, and options for graphs are refused for programs") {
  const ScratchFolder scratch;
  const std::string file = graph_file(scratch, "m.json", ones), program = (scratch.path() / "m.wnnc").string();
  CHECK(contains(webnn_cli({"inspect", file}).out, "cost    4 FLOP, "));
  REQUIRE(webnn_cli({"compile", file, "-o", program}).code == 0);
  CHECK(webnn_cli({"inspect", program}).code == 0);
  for (const std::vector<std::string>& option : {std::vector<std::string>{"--dim", "n=2"},
                                                 {"--weights-file", "w"},
                                                 {"--base-dir", "."},
                                                 {"--max-nodes", "9"},
                                                 {"--constant-input", "x=ones"}}) {
    std::vector<std::string> words{"inspect", program};
    words.insert(words.end(), option.begin(), option.end());
    const CommandResult result = webnn_cli(words);
    CHECK(result.code == 2);
    CHECK(contains(result.err, option[0] + " is for graphs, and '" + program + "' is a compiled program"));
    words.insert(words.end(), {"--diff", program});
    CHECK(webnn_cli(words).code == 2);
  }
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

TEST_CASE("cli inspect --diff: long constants, and an order") {
  const ScratchFolder scratch;
  // Ten numbers, of which the second and the fourth have the sign's byte `sign`.
  const auto with_constant = [&](const std::string& name, const std::string& sign) {
    std::string bytes;
    for (int i = 0; i < 10; ++i)
      bytes += (i == 0 ? "0,0,128," : ",0,0,128,") + (i == 1 || i == 3 ? sign : std::to_string(50 + i));
    const auto file = scratch.path() / name;
    write_file(file, R"({"format": "webnn-graph-json", "version": 2,
      "inputs": {"x": {"dataType": "float32", "shape": [10]}}, "consts": {"c": {"dataType": "float32", "shape": [10],
      "init": {"kind": "inlineBytes", "bytes": [)" +
                         bytes + R"(]}}}, "nodes": [{"id": "y", "op": "add", "inputs": ["x", "c"]}],
      "outputs": {"y": "y"}})");
    return file.string();
  };
  const std::string plain = with_constant("a.json", "63"), negated = with_constant("b.json", "191");
  REQUIRE(webnn_cli({"validate", plain, negated}).code == 0);
  const CommandResult result = webnn_cli({"inspect", plain, "--diff", negated});
  CHECK(result.code == 1);
  CHECK(contains(result.out, "content: checksum "));

  const auto with_inputs = [&](const std::string& name, const std::string& inputs) {
    const auto file = scratch.path() / name;
    write_file(file, "webnn_graph \"g\" v2 { inputs { " + inputs + " } nodes { y = sub(x, z); } outputs { y; } }");
    return file.string();
  };
  const CommandResult order = webnn_cli({"inspect", with_inputs("c.webnn", "x: f32[2]; z: f32[2];"), "--diff",
                                         with_inputs("d.webnn", "z: f32[2]; x: f32[2];")});
  CHECK(order.code == 1);
  CHECK(contains(order.out, "~ order of inputs\n    place 1: x -> z\n"));
}

TEST_CASE("cli inspect --diff: without a weights file it says what it did not compare") {
  const ScratchFolder scratch;
  const std::string file = graph_file(scratch, "m.json", R"({"kind": "weights", "ref": "b"})");
  CHECK(contains(webnn_cli({"inspect", file, "--diff", file}).out,
                 "hold the same, but what their constants hold is not compared\n"));
  CHECK(json::parse(webnn_cli({"inspect", file, "--diff", file, "--output-format", "json"}).out)["contentCompared"] ==
        false);
  CHECK(webnn_cli({"inspect", "-", "--diff", "-"}).code == 2);
}

TEST_CASE("cli inspect: little address space is enough for a graph without its weights file") {
  if (under_sanitizer) return skip("a sanitizer needs address space of its own");
  const ScratchFolder scratch;
  const std::string file = graph_file(scratch, "m.json", R"({"kind": "weights", "ref": "b"})");
  const ShellResult result =
      run_shell("ulimit -v 1000000; " + program_words("webnn-cli") + " inspect " + shell_word(file));
  CHECK_MESSAGE(result.status == 0, result.output);
}

TEST_CASE("cli inspect: programs that differ in an attribute alone") {
  const ScratchFolder scratch;
  std::vector<std::string> programs;
  for (const std::string axis : {"1", "2"}) {
    const std::string file = (scratch.path() / (axis + ".webnn")).string();
    write_file(file, "webnn_graph \"g\" v2 { inputs { x: f32[2,3,3]; } nodes { y = softmax(x, axis=" + axis +
                         "); } outputs { y; } }");
    programs.push_back((scratch.path() / (axis + ".wnnc")).string());
    REQUIRE(webnn_cli({"compile", file, "-o", programs.back()}).code == 0);
  }
  const CommandResult result = webnn_cli({"inspect", programs[0], "--diff", programs[1]});
  CHECK(result.code == 1);
  CHECK(contains(result.out, "axis: 1 -> 2\n"));
}

TEST_CASE("cli inspect --diff: programs, and files that do not go together") {
  if (!has_convolution_library()) return skip(no_convolution_library());
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
}  // namespace webnn::tests::inspect_test
