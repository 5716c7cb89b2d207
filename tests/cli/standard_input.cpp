// Models from standard input, and where their weights are looked for.
#include <cstring>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::standard_input_test {
namespace {

constexpr const char* graph = R"({"format": "webnn-graph-json", "version": 2, "inputs": {},
 "consts": {"w": {"dataType": "float32", "shape": [2], "init": {"kind": "weights", "ref": "w"}}},
 "nodes": [{"id": "y", "op": "relu", "inputs": ["w"]}], "outputs": {"y": "y"}})";
constexpr const char* manifest = R"({"format": "wg-weights-manifest", "version": 1, "tensors": {
 "w": {"dataType": "float32", "shape": [2], "byteOffset": 0, "byteLength": 8}}})";

/// Runs a command with `content` as standard input.
CommandResult with_input(const std::string& content, const std::vector<std::string>& arguments) {
  const ScratchFolder scratch;
  write_file(scratch.path() / "input", content);
  const int before = dup(STDIN_FILENO), input = open((scratch.path() / "input").c_str(), O_RDONLY);
  REQUIRE(input >= 0);
  dup2(input, STDIN_FILENO);
  close(input);
  CommandResult result = webnn_cli(arguments);
  if (before >= 0) {
    dup2(before, STDIN_FILENO);
    close(before);
  }
  return result;
}

std::string two_floats(float a, float b) {
  const float values[] = {a, b};
  return {reinterpret_cast<const char*>(values), sizeof values};
}

TEST_CASE("cli standard input: weights are those of --base-dir under the names 'model' or of --weights-file") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path().string();
  write_file(scratch.path() / "model.weights", two_floats(1, 2));
  write_file(scratch.path() / "model.manifest.json", manifest);
  const CommandResult found = with_input(graph, {"run", "-", "--base-dir", folder});
  CHECK(found.code == 0);
  CHECK(contains(found.out, "[1, 2]"));
  CHECK(contains(with_input(graph, {"run", "-", "--weights-file", folder + "/model.weights"}).out, "[1, 2]"));
}

TEST_CASE("cli standard input: without weights, the message says where they were looked for") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path().string();
  const CommandResult nowhere = with_input(graph, {"run", "-"});
  CHECK(nowhere.code == 3);
  CHECK(contains(nowhere.err,
                 "<stdin>:2:91: error[WNN0503]: the graph refers to weights, but no folder to look in is "
                 "known (/consts/w/init/ref)\n"));
  CHECK(contains(nowhere.err, "hint: name the folder with --base-dir, or the file with --weights-file\n"));
  const CommandResult empty = with_input(graph, {"run", "-", "--base-dir", folder});
  CHECK(empty.code == 3);
  CHECK(contains(empty.err, "there is no weights file in '" + folder + "'"));
  CHECK(contains(empty.err, "hint: looked for 'model.safetensors' and 'model.weights' in '" + folder + "'\n"));
  write_file(scratch.path() / "model.weights", two_floats(1, 2));
  CHECK(contains(with_input(graph, {"run", "-", "--base-dir", folder}).err,
                 "hint: looked for 'manifest.json' and 'model.manifest.json' in '" + folder + "'\n"));
}

TEST_CASE("cli standard input: --base-dir also holds the weights of a graph file elsewhere") {
  const ScratchFolder model, weights;
  write_file(model.path() / "net.json", graph);
  write_file(weights.path() / "net.weights", two_floats(3, 4));
  write_file(weights.path() / "net.manifest.json", manifest);
  const std::string file = (model.path() / "net.json").string();
  CHECK(contains(webnn_cli({"run", file, "--base-dir", weights.path().string()}).out, "[3, 4]"));
  CHECK(contains(webnn_cli({"run", file}).err,
                 "looked for 'model.safetensors', 'net.safetensors', 'net.weights' and 'model.weights' in '"));
}

}  // namespace
}  // namespace webnn::tests::standard_input_test
