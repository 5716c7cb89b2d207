// The commands as a user meets them: what goes where, and the exit codes.
#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <utility>

#include "compiler/frontend/npy.hpp"
#include "schema/operators/operator_table.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/child.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::commands_test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string digits(const std::string& file) { return (source_dir() / "models/digits" / file).string(); }

/// y = a + b on four numbers.
std::string adding_graph(const ScratchFolder& scratch, const std::string& op = "add") {
  const auto file = scratch.path() / "add.json";
  write_file(file, R"({"format": "webnn-graph-json", "version": 2, "name": "sum",
    "inputs": {"a": {"dataType": "float32", "shape": [2, 2]}, "b": {"dataType": "float32", "shape": [2, 2]}},
    "nodes": [{"id": "y", "op": ")" +
                       op + R"(", "inputs": ["a", "b"]}],
    "outputs": {"y": "y"}})");
  return file.string();
}

TEST_CASE("cli run: numbers in, numbers out") {
  const ScratchFolder scratch;
  const CommandResult result = webnn_cli({"run", adding_graph(scratch), "--input", "a=[1,2,3,4]", "--input", "b=ones"});
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  CHECK(result.out == "y: float32[2, 2]\n  min 2  max 5  mean 3.5  NaN 0  infinite 0\n  [2, 3, 4, 5]\n");
}

TEST_CASE("cli run: JSON output and saved outputs") {
  const ScratchFolder scratch;
  const std::string folder = (scratch.path() / "out").string();
  const CommandResult result = webnn_cli(
      {"run", adding_graph(scratch), "--fill", "iota", "--outputs", folder, "--output-format", "json", "--top", "1"});
  REQUIRE(result.code == 0);
  const json report = json::parse(result.out);
  CHECK(report["schema"] == "webnn-cli/run/1");
  CHECK(report["outputs"][0]["max"] == 6);
  CHECK(report["outputs"][0]["top"][0]["index"] == 3);
  CHECK(compiler::read_npy(folder + "/y.npy").descriptor.shape == schema::Shape{2, 2});
}

TEST_CASE("cli run: the digits model knows its digit") {
  const CommandResult result =
      webnn_cli({"run", digits("digits.json"), "--input", "image=@" + digits("digits.input.image.npy"), "--labels",
                 digits("labels.txt"), "--top", "3"});
  CHECK(result.code == 0);
  CHECK(contains(result.out, "probabilities: float32[1, 10]"));
}

TEST_CASE("cli run: what is missing or wrong is an error before anything runs") {
  const ScratchFolder scratch;
  const std::string graph = adding_graph(scratch);
  const CommandResult missing = webnn_cli({"run", graph, "--input", "a=zeros"});
  CHECK(missing.code == 2);
  CHECK(contains(missing.err, "inputs without data: 'b' (float32[2, 2])"));
  CHECK(webnn_cli({"run", graph, "--input", "a=zeros", "--input", "a=ones", "--fill", "ones"}).code == 2);
  CHECK(webnn_cli({"run", graph, "--fill", "ones", "--device", "tpu"}).code == 2);
  CHECK(webnn_cli({"run", graph, "--fill", "ones", "--kernels", "refrence"}).code == 2);
  CHECK(contains(webnn_cli({"run", graph, "--fill", "ones", "--device", "cpu:refrence"}).err,
                 "did you mean 'reference'?"));
  CHECK(webnn_cli({"run", graph, "--fill", "ones", "--stop-after", "simplfy"}).code == 2);
  CHECK(webnn_cli({"run", (scratch.path() / "none.json").string()}).code == 6);
  CHECK(webnn_cli({"run", scratch.path().string()}).code == 6);
  CHECK(webnn_cli({"run", graph, "--fill", "ones", "--max-model-size", "10"}).code == 7);
}

TEST_CASE("cli run: an invalid graph is exit code 3 with its diagnostics") {
  const ScratchFolder scratch;
  const CommandResult result = webnn_cli({"run", adding_graph(scratch, "ad"), "--fill", "ones"});
  CHECK(result.code == 3);
  CHECK(result.out.empty());
  CHECK(contains(result.err, "did you mean 'add'?"));
}

TEST_CASE("cli run: the compiler shows its passes") {
  const ScratchFolder scratch;
  const std::string graph = adding_graph(scratch);
  const CommandResult printed =
      webnn_cli({"run", graph, "--fill", "ones", "--print-after", "simplify", "--time-passes"});
  CHECK(printed.code == 0);
  CHECK(contains(printed.err, "add(%a, %b)"));
  CHECK(contains(printed.err, "plan_memory"));
  const CommandResult stopped = webnn_cli({"run", graph, "--stop-after", "simplify", "--time-passes"});
  CHECK(stopped.code == 0);
  CHECK(stopped.out.empty());
  CHECK(contains(stopped.err, "simplify"));
  CHECK(webnn_cli({"run", graph, "--stop-after", "simplify"}).code == 2);  // there would be nothing to see
  const CommandResult later = webnn_cli({"run", graph, "--stop-after", "canonicalize", "--print-before", "simplify"});
  CHECK(later.code == 2);
  CHECK(contains(later.err, "--stop-after canonicalize ends before anything is printed"));
  CHECK(contains(webnn_cli({"compile", graph, "--stop-after", "simplfy"}).err, "did you mean 'simplify'?"));
  CHECK(webnn_cli({"inspect", graph, "--device", "gpu"}).code == 2);  // which is for --compat
}

TEST_CASE("cli validate: good, bad and manifest") {
  const ScratchFolder scratch;
  const std::string good = adding_graph(scratch);
  CHECK(webnn_cli({"validate", good}).out == good + ": valid (1 node, 0 constants, 2 inputs, 1 output)\n");
  CHECK(contains(webnn_cli({"validate", digits("digits.manifest.json")}).out, "weights manifest, not a graph"));

  const std::string bad = adding_graph(scratch, "conv2d");
  const CommandResult text = webnn_cli({"validate", bad});
  CHECK(text.code == 3);
  CHECK(contains(text.err, bad + ":3:"));
  const CommandResult machine = webnn_cli({"validate", bad, "--output-format", "json"});
  CHECK(machine.code == 3);
  CHECK(json::parse(machine.out)["diagnostics"].size() >= 1);
  CHECK(json::parse(webnn_cli({"validate", bad, "--output-format", "sarif"}).out)["version"] == "2.1.0");
  CHECK(contains(webnn_cli({"validate", bad, "--output-format", "github"}).out, "::error file="));
}

TEST_CASE("cli validate: SARIF holds what GitHub takes, errors first, and says what is left out") {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "many.json").string();
  std::string nodes;
  for (int i = 0; i < 6000; ++i)
    nodes += std::string(i == 0 ? "" : ",") + R"({"id":"n)" + std::to_string(i) + R"(","op":"rleu","inputs":["x"]})";
  write_file(file, R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"float32","shape":[1]}},)"
                   R"("consts":{},"nodes":[)" +
                       nodes + R"(],"outputs":{"y":"n0"}})");
  const json all = json::parse(webnn_cli({"validate", file, "--output-format", "json"}).out)["diagnostics"];
  REQUIRE(all.size() >= 6000);
  const json run = json::parse(webnn_cli({"validate", file, "--output-format", "sarif"}).out)["runs"][0];
  CHECK(run["results"].size() == 5000);
  CHECK(run["results"][4999]["level"] == "error");
  const std::string said = run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
  CHECK(said.starts_with(std::to_string(all.size() - 5000) + " of " + std::to_string(all.size()) + " results"));
}

TEST_CASE("cli validate: in a folder, JSON that is no graph is passed over, what is damaged is not") {
  const ScratchFolder scratch;
  adding_graph(scratch);
  const auto at = [&](const char* name) { return (scratch.path() / name).string(); };
  write_file(at("vectors.json"), R"({"tests": [{"name": "a"}]})");
  write_file(at("list.json"), "[1, 2]");
  write_file(at("settings.json"), "{ \"name\": \"webnn-demo\", // a comment\n}");
  write_file(at("package.json"), R"({"format": "esm", "nodes": []})");
  write_file(at("m.manifest.json"), R"({"format": "wg-weights-manifest", "version": 1, "tensors": {}})");
  const CommandResult folder = webnn_cli({"validate", scratch.path().string()});
  CHECK(folder.code == 0);
  CHECK(contains(folder.out, at("vectors.json") + ": not a graph\n"));
  CHECK(contains(folder.out, "valid (1 node"));
  CHECK(webnn_cli({"validate", scratch.path().string(), "--output-format", "json"}).code == 0);
  CHECK(webnn_cli({"validate", at("vectors.json")}).code == 3);  // named, so meant
  write_file(at("misspelt.json"), R"({"format": "webnn-graph-jsn", "version": 2})");
  CHECK(webnn_cli({"validate", scratch.path().string()}).code == 3);
  fs::remove(at("misspelt.json"));
  write_file(at("damaged.json"), R"({"format": "webnn-graph-json", )");
  CHECK(webnn_cli({"validate", scratch.path().string()}).code == 3);
  for (const char* name : {"damaged.json", "add.json"}) fs::remove(at(name));
  CHECK(webnn_cli({"validate", scratch.path().string()}).code == 2);  // no graph at all
}

/// y = op(x) in a file of the folder.
std::string graph_file(const fs::path& folder, const std::string& name, const std::string& op = "relu",
                       const std::string& shape = "[2]") {
  write_file(folder / name, R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": )" +
                                shape + R"(}}, "nodes": [{"id": "y", "op": ")" + op +
                                R"(", "inputs": ["x"]}], "outputs": {"y": "y"}})");
  return (folder / name).string();
}

TEST_CASE("cli validate: JSON names each file with its verdict, and with --operators what it consists of") {
  const ScratchFolder scratch;
  const std::string good = graph_file(scratch.path(), "a.json"), wrong = graph_file(scratch.path(), "b.json", "relo"),
                    absent = (scratch.path() / "absent.json").string();
  const json report =
      json::parse(webnn_cli({"validate", good, wrong, absent, "--operators", "--output-format", "json"}).out);
  REQUIRE(report["files"].size() == 3);
  CHECK(report["files"][0] == json{{"file", good},
                                   {"verdict", "valid"},
                                   {"errors", 0},
                                   {"operators", {{{"name", "relu"}, {"nodes", 1}, {"refused", 0}, {"unknown", 0}}}}});
  CHECK(report["files"][1]["verdict"] == "invalid");
  CHECK(report["files"][1]["errors"] == 1);
  CHECK(report["files"][2]["verdict"] == "not read");
  CHECK(report["diagnostics"].size() == 1);
}

TEST_CASE("cli validate: sizes of dimensions are for the files that have these, and errors name their file") {
  const ScratchFolder scratch;
  const std::string fixed = graph_file(scratch.path(), "fixed.json"),
                    open = graph_file(scratch.path(), "open.json", "relu", R"([{"name": "batch", "maxSize": 4}])");
  const CommandResult both = webnn_cli({"validate", fixed, open, "--dim", "batch=2"});
  CHECK(both.code == 0);
  CHECK(contains(both.out, fixed + ": valid"));
  CHECK(contains(both.out, open + ": valid"));
  CHECK(webnn_cli({"validate", fixed, "--dim", "batch=2"}).code == 2);
  const CommandResult large = webnn_cli({"validate", fixed, open, "--dim", "batch=9"});
  CHECK(large.code == 2);
  CHECK(contains(large.err, "'" + open + "': dimension 'batch'"));
  CHECK(contains(large.out, fixed + ": valid"));
}

/// A link that leads to itself.
std::string loop(const fs::path& folder, const std::string& name) {
  fs::create_symlink(name, folder / name);
  return (folder / name).string();
}

TEST_CASE("cli validate: files that are named and cannot be looked at leave the others as they are") {
  const ScratchFolder scratch;
  const std::string good = graph_file(scratch.path(), "good.json");
  for (const std::string& bad : {loop(scratch.path(), "loop"), (scratch.path() / std::string(300, 'n')).string()}) {
    CAPTURE(bad);
    const CommandResult result = webnn_cli({"validate", bad, good});
    CHECK(result.code == 6);
    CHECK(result.err.starts_with("webnn-cli: cannot read '" + bad.substr(0, 40)));
    CHECK(contains(result.out, good + ": valid"));
  }
}

TEST_CASE("cli validate: what a folder holds and cannot be looked at leaves the others as they are") {
  const ScratchFolder scratch;
  const std::string good = graph_file(scratch.path(), "sub/good.json"), bad = loop(scratch.path(), "loop.json");
  loop(scratch.path(), "loop");  // no graph file by its name
  fs::create_symlink("nowhere", scratch.path() / "nowhere.json");
  fs::create_directory(scratch.path() / "folder.json");
  const CommandResult result = webnn_cli({"validate", scratch.path().string()});
  CHECK(result.code == 6);
  CHECK(result.err == "webnn-cli: cannot read '" + bad + "': Too many levels of symbolic links\n");
  CHECK(result.out == good + ": valid (1 node, 0 constants, 1 input, 1 output)\n");
}

TEST_CASE("cli validate: a closed folder is an error, named or below one that is") {
  const ScratchFolder scratch;
  const std::string good = graph_file(scratch.path(), "good.json"), closed = (scratch.path() / "closed").string();
  const std::string inside = graph_file(closed, "inside.json");
  fs::permissions(scratch.path(), fs::perms(0755));
  fs::permissions(closed, fs::perms::none);
  for (const std::vector<std::string>& named :
       std::vector<std::vector<std::string>>{{scratch.path().string()}, {closed, good}, {inside, good}}) {
    CAPTURE(named);
    CHECK(in_child([&] {
      if (geteuid() == 0 && setuid(54321) != 0) return false;  // no folder is closed to root
      std::vector<std::string> arguments = {"validate"};
      arguments.insert(arguments.end(), named.begin(), named.end());
      const CommandResult result = webnn_cli(arguments);
      return result.code == 6 && contains(result.err, closed) && contains(result.err, "Permission denied") &&
             contains(result.out, good + ": valid");
    }));
  }
  fs::permissions(closed, fs::perms::owner_all);
}

TEST_CASE("cli validate: the exit code is that of the worst file, in whatever order") {
  const ScratchFolder scratch;
  const std::string refused = graph_file(scratch.path(), "refused.json", "clamp", "[1, 1, 1, 1, 1, 2]"),
                    wrong = graph_file(scratch.path(), "wrong.json", "relo"),
                    absent = (scratch.path() / "absent.json").string();
  const auto code = [](const std::string& first, const std::string& second) {
    return webnn_cli({"validate", first, second, "--browser", "chromium-litert"}).code;
  };
  const auto both = [&](const std::string& a, const std::string& b) { return std::pair(code(a, b), code(b, a)); };
  CHECK(both(refused, refused) == std::pair(4, 4));
  CHECK(both(refused, absent) == std::pair(6, 6));
  CHECK(both(refused, wrong) == std::pair(3, 3));
  CHECK(both(absent, wrong) == std::pair(3, 3));
}

TEST_CASE("cli ops: the whole table in each form") {
  const CommandResult text = webnn_cli({"ops"});
  CHECK(text.code == 0);
  CHECK(contains(text.out, "convTranspose2d"));
  CHECK(json::parse(webnn_cli({"ops", "--output-format", "json"}).out)["operators"].size() == schema::operator_count);
  CHECK(contains(webnn_cli({"ops", "--output-format", "md"}).out, "| abs | unary |"));
  CHECK(contains(webnn_cli({"ops", "conv2d"}).out, "option strides = [1, 1]"));
  CHECK(contains(webnn_cli({"ops", "conv2"}).err, "did you mean 'conv2d'?"));
}

TEST_CASE("cli inspect: summary, nodes, picture, JSON, tensors") {
  const ScratchFolder scratch;
  const std::string graph = adding_graph(scratch);
  CHECK(contains(webnn_cli({"inspect", graph, "--nodes"}).out, "add x1"));
  CHECK(contains(webnn_cli({"inspect", graph, "--dot"}).out, "digraph \"sum\""));
  const json report = json::parse(webnn_cli({"inspect", graph, "--output-format", "json"}).out);
  CHECK(report["flops"] == 4);
  CHECK(contains(webnn_cli({"inspect", digits("digits.input.image.npy")}).out, "float32["));
}

TEST_CASE("cli test: vectors, case folders, filters, expected failures, reports") {
  const ScratchFolder scratch;
  const std::string vectors = (scratch.path() / "v" / "add.json").string();
  write_file(vectors, R"({"tests": [
    {"name": "right", "tolerance": {"metricType": "ULP", "value": 1}, "graph": {
      "inputs": {"a": {"data": [1, 2], "descriptor": {"shape": [2], "dataType": "float32"}}},
      "operators": [{"name": "add", "arguments": [{"a": "a"}, {"b": "a"}], "outputs": "y"}],
      "expectedOutputs": {"y": {"data": [2, 4], "descriptor": {"shape": [2], "dataType": "float32"}}}}},
    {"name": "wrong", "tolerance": {"metricType": "ULP", "value": 1}, "graph": {
      "inputs": {"a": {"data": [1, 2], "descriptor": {"shape": [2], "dataType": "float32"}}},
      "operators": [{"name": "add", "arguments": [{"a": "a"}, {"b": "a"}], "outputs": "y"}],
      "expectedOutputs": {"y": {"data": [2, 5], "descriptor": {"shape": [2], "dataType": "float32"}}}}}]})");
  const CommandResult all = webnn_cli({"test", vectors, "--jobs", "2"});
  CHECK(all.code == 1);
  CHECK(contains(all.out, "1 of 2 elements differ, first at 1"));
  CHECK(all.out.ends_with("1 passed, 1 failed, 0 skipped\n"));
  CHECK(webnn_cli({"test", vectors, "--filter", "*right"}).code == 0);
  CHECK(webnn_cli({"test", vectors, "--filter", "*none*"}).code == 2);

  const std::string list = (scratch.path() / "list.txt").string();
  write_file(list, "# known\nv/add: wrong\n");
  CHECK(webnn_cli({"test", vectors, "--expected-failures", list}).out ==
        "skipped  v/add: wrong\n        expected to fail: output 'y': 1 of 2 elements differ, first at 1; largest "
        "error 1 or 2097152 ULP\n1 passed, 0 failed, 1 skipped\n");
  write_file(list, "v/add: right\nv/add: wrong\n");
  CHECK(webnn_cli({"test", vectors, "--expected-failures", list}).code == 1);

  const std::string junit = (scratch.path() / "report.xml").string();
  const json report = json::parse(webnn_cli({"test", vectors, "--junit", junit, "--output-format", "json"}).out);
  CHECK(report["passed"] == 1);
  CHECK(contains(read_file(junit), "<testsuite name=\"v/add\" tests=\"2\" failures=\"1\""));
  CHECK(webnn_cli({"test", source_dir() / "models/digits"}).out.ends_with("1 passed, 0 failed, 0 skipped\n"));
}

TEST_CASE("cli: usage errors help, and are exit code 2") {
  CHECK(webnn_cli({}).code == 2);
  CHECK(contains(webnn_cli({"rnu", "x"}).err, "did you mean 'run'?"));
  CHECK(contains(webnn_cli({"run", "x.json", "--inptu", "a=zeros"}).err, "did you mean '--input'?"));
  CHECK(webnn_cli({"--help"}).code == 0);
  const CommandResult help = webnn_cli({"run", "--help"});
  CHECK(help.code == 0);
  CHECK(help.out.find("Examples:") < help.out.find("--input"));
  CHECK(webnn_cli({"version"}).out.starts_with("webnn-cli "));
  CHECK(contains(webnn_cli({"explain"}).out, "WNN0"));
  CHECK(webnn_cli({"explain", "WNN9999"}).code == 2);
}

TEST_CASE("cli: names from a file reach the terminal escaped") {
  const ScratchFolder scratch;
  const auto file = scratch.path() / "evil.json";
  write_file(
      file,
      R"({"format": "webnn-graph-json", "version": 2, "inputs": {"\u001b[31mred": {"dataType": "float32", "shape": [1]}},
    "nodes": [{"id": "y", "op": "relu", "inputs": ["\u001b[31mred"]}], "outputs": {"y\u0007": "y"}})");
  const CommandResult result = webnn_cli({"run", file.string(), "--fill", "ones"});
  CHECK(result.code == 0);
  CHECK(contains(result.out, "y\\x07"));
  CHECK(!contains(result.out + result.err, "\x1b"));
  CHECK(!contains(webnn_cli({"inspect", file.string(), "--nodes"}).out, "\x1b"));
}

}  // namespace
}  // namespace webnn::tests::commands_test
