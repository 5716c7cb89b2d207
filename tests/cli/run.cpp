// `run`: elements in the output, several runs, and what is asked of inputs and files.
#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::run_test {
namespace {

using nlohmann::json;

/// y = x for two numbers of a type.
std::string identity_graph(const ScratchFolder& scratch, const std::string& type) {
  const auto file = scratch.path() / (type + ".json");
  write_file(file, R"({"format": "webnn-graph-json", "version": 2, "inputs": {"x": {"dataType": ")" + type +
                       R"(", "shape": [3]}}, "nodes": [{"id": "y", "op": "identity", "inputs": ["x"]}],
    "outputs": {"y": "y"}})");
  return file.string();
}

json values_of(const std::string& graph, const std::string& list) {
  const CommandResult result = webnn_cli({"run", graph, "--input", "x=" + list, "--output-format", "json", "--values"});
  CAPTURE(result.err);
  REQUIRE(result.code == 0);
  return json::parse(result.out)["outputs"][0]["values"];
}

TEST_CASE("cli run --values: every element, as its type has it") {
  const ScratchFolder scratch;
  CHECK(values_of(identity_graph(scratch, "float32"), "[0.1, -2, 1e30]").dump() == "[0.1,-2.0,1e+30]");
  CHECK(values_of(identity_graph(scratch, "float16"), "[0.1, -2, 65504]")[2] == 65504.0);
  CHECK(values_of(identity_graph(scratch, "uint64"), "[18446744073709551615, 0, 1]").dump() ==
        "[18446744073709551615,0,1]");
  CHECK(values_of(identity_graph(scratch, "int64"), "[-9223372036854775808, 0, 1]")[0] ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(values_of(identity_graph(scratch, "float32"), "[nan, inf, -inf]").dump() ==
        R"(["NaN","Infinity","-Infinity"])");
  const std::string graph = identity_graph(scratch, "float32");
  CHECK_FALSE(contains(webnn_cli({"run", graph, "--fill", "ones", "--output-format", "json"}).out, "values"));
}

TEST_CASE("cli run --values: text prints every element, too") {
  const ScratchFolder scratch;
  const auto file = scratch.path() / "ten.json";
  write_file(file, R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "int32", "shape": [10]}}, "nodes": [{"id": "y", "op": "identity", "inputs": ["x"]}],
    "outputs": {"y": "y"}})");
  CHECK(contains(webnn_cli({"run", file.string(), "--fill", "iota"}).out, "[0, 1, 2, 3, 4, 5, 6, 7, ...]"));
  CHECK(
      contains(webnn_cli({"run", file.string(), "--fill", "iota", "--values"}).out, "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"));
}

TEST_CASE("cli run --top: integers are exact, small numbers are seen, and NaN is counted") {
  const ScratchFolder scratch;
  const auto run = [&](const std::string& type, const std::string& list, const std::string& top) {
    return webnn_cli({"run", identity_graph(scratch, type), "--input", "x=" + list, "--top", top}).out;
  };
  CHECK(run("int64", "[9007199254740992, 9007199254740993, -1]", "3") ==
        "y: int64[3]\n  9007199254740993       1\n  9007199254740992       0\n                -1       2\n");
  CHECK(run("float32", "[1e-9, 0.25, 0.00012345678]", "3") ==
        "y: float32[3]\n       0.25       1\n  0.0001235       2\n      1e-09       0\n");
  CHECK(run("float32", "[nan, 0.25, nan]", "3") ==
        "y: float32[3]\n      0.25       1\n  and NaN, which has no rank: 2\n");

  const json report = json::parse(
      webnn_cli({"run", identity_graph(scratch, "uint64"), "--input",
                 "x=[18446744073709551615, 0, 18446744073709551614]", "--top", "2", "--output-format", "json"})
          .out)["outputs"][0];
  CHECK(report["top"][0]["value"] == 18446744073709551615u);
  CHECK(report["top"][1]["value"] == 18446744073709551614u);
  CHECK(report["max"] == 18446744073709551615u);
  CHECK(report["min"] == 0);
}

TEST_CASE("cli run: the mean of both infinities is nan, without a sign") {
  const ScratchFolder scratch;
  const std::string graph = identity_graph(scratch, "float32");
  CHECK(contains(webnn_cli({"run", graph, "--input", "x=[inf, -inf, 1]"}).out,
                 "  min -inf  max inf  mean nan  NaN 0  infinite 2\n"));
  CHECK(contains(webnn_cli({"run", graph, "--input", "x=[nan, nan, nan]"}).out, "  min nan  max nan  mean nan  NaN 3"));
}

TEST_CASE("cli run --quiet: not with --values") {
  const ScratchFolder scratch;
  const CommandResult result =
      webnn_cli({"run", identity_graph(scratch, "float32"), "--fill", "ones", "--quiet", "--values"});
  CHECK(result.code == 2);
  CHECK(contains(result.err, "cannot be used together"));
}

TEST_CASE("cli run --outputs: results never replace what an input was read from") {
  const ScratchFolder scratch;
  const std::string graph = identity_graph(scratch, "float32"), folder = (scratch.path() / "out").string(),
                    results = folder + "/y.npy";
  REQUIRE(webnn_cli({"run", graph, "--input", "x=[1, 2, 3]", "--outputs", folder}).code == 0);
  const std::string before = read_file(results);
  std::filesystem::create_hard_link(results, scratch.path() / "x.npy");
  for (const std::vector<std::string>& input : {std::vector<std::string>{"--input", "x=@" + results},
                                                {"--fill", "@" + results},
                                                {"--inputs", scratch.path().string()},
                                                {"--input", "x=3:float32=@" + folder + "/../x.npy"}}) {
    CAPTURE(input.back());
    std::vector<std::string> words{"run", graph, "--outputs", folder};
    words.insert(words.end(), input.begin(), input.end());
    const CommandResult result = webnn_cli(words);
    CHECK(result.code == 2);
    CHECK(contains(result.err, "the results would go to '" + results + "', where input '"));
    CHECK(contains(result.err, "hint: name another folder with --outputs"));
  }
  CHECK(read_file(results) == before);
  CHECK(webnn_cli({"run", graph, "--input", "x=[4, 5, 6]", "--outputs", folder}).code == 0);  // an earlier run's
  CHECK(read_file(results) != before);
}

TEST_CASE("cli run --inputs: files that are for no input are named") {
  const ScratchFolder scratch;
  const std::string graph = identity_graph(scratch, "float32"), folder = (scratch.path() / "in").string();
  REQUIRE(webnn_cli({"run", graph, "--fill", "ones", "--outputs", folder}).code == 0);
  std::filesystem::copy_file(folder + "/y.npy", folder + "/x.npy");
  CHECK(webnn_cli({"run", graph, "--inputs", folder}).err.empty());  // y.npy is a result
  for (const char* other : {"X.npy", "m.input.x.npy", "notes.txt"})
    std::filesystem::copy_file(folder + "/y.npy", folder + "/" + other);
  const CommandResult result = webnn_cli({"run", graph, "--inputs", folder});
  CHECK(result.code == 0);
  CHECK(result.err ==
        "warning: not read, because the graph has no input or output of the name: 'X.npy' in '" + folder + "'\n");
}

TEST_CASE("cli run --repeat: the times of all runs") {
  const ScratchFolder scratch;
  const std::string graph = identity_graph(scratch, "float32");
  const CommandResult text = webnn_cli({"run", graph, "--fill", "ones", "--repeat", "4"});
  CHECK(text.code == 0);
  CHECK(text.out == webnn_cli({"run", graph, "--fill", "ones"}).out);
  CHECK(contains(text.err, "4 runs: the first "));
  const CommandResult machine = webnn_cli({"run", graph, "--fill", "ones", "--repeat", "4", "--output-format", "json"});
  CHECK(machine.err.empty());
  CHECK(json::parse(machine.out)["runMilliseconds"].size() == 4);
  CHECK(webnn_cli({"run", graph, "--fill", "ones", "--repeat", "0"}).code == 2);
}

TEST_CASE("cli run: a safetensors file without a tensor's name is answered with the names") {
  const ScratchFolder scratch;
  const float data[] = {1, 2, 3, 4, 5, 6};
  const std::string header = R"({"w": {"dtype": "F32", "shape": [3], "data_offsets": [0, 12]},)"
                             R"("other": {"dtype": "F32", "shape": [1, 3], "data_offsets": [12, 24]}})";
  const std::uint64_t length = header.size();
  const std::string file = (scratch.path() / "w.safetensors").string();
  write_file(file, std::string(reinterpret_cast<const char*>(&length), 8) + header +
                       std::string(reinterpret_cast<const char*>(data), sizeof data));
  const std::string graph = identity_graph(scratch, "float32");
  const CommandResult result = webnn_cli({"run", graph, "--input", "x=@" + file});
  CHECK(result.code == 2);
  CHECK(contains(result.err, "holds tensors by name, and none is named for input 'x'"));
  CHECK(contains(result.err, "hint: name one: x=@" + file + "#TENSOR; of the input's type and shape: 'w'\n"));
  CHECK(contains(webnn_cli({"run", identity_graph(scratch, "int32"), "--input", "x=@" + file}).err,
                 "it holds 'other', 'w'\n"));
  CHECK(webnn_cli({"run", graph, "--input", "x=@" + file + "#w"}).code == 0);
  CHECK(webnn_cli({"run", graph, "--input", "x=@" + file + ".safetensors"}).code == 6);
}

TEST_CASE("cli --format: what the user says counts, not what the file looks like") {
  const ScratchFolder scratch;
  const std::string graph = identity_graph(scratch, "float32");
  const std::string text = (scratch.path() / "t.webnn").string(), program = (scratch.path() / "p.wnnc").string();
  REQUIRE(webnn_cli({"convert", graph, "-o", text}).code == 0);
  REQUIRE(webnn_cli({"compile", graph, "-o", program}).code == 0);
  const std::vector<std::pair<std::string, std::string>> files{{graph, "json"}, {text, "text"}, {program, "program"}};
  for (const auto& [file, form] : files)
    for (const std::string said : {"json", "text", "binary", "program"}) {
      const CommandResult result = webnn_cli({"run", file, "--fill", "ones", "--format", said});
      CAPTURE(file);
      CAPTURE(said);
      CHECK((result.code == 0) == (said == form));
      CHECK(result.code == (said == form ? 0 : said == "program" ? 8 : 3));
    }
  CHECK(webnn_cli({"run", graph, "--format", "jsn"}).code == 2);
  CHECK(webnn_cli({"inspect", graph, "--format", "json"}).code == 0);
  CHECK(webnn_cli({"validate", graph, "--format", "text"}).code == 3);
  for (const std::string& file : {program, graph}) {  // one that is a program, one that is called one
    const CommandResult result = webnn_cli({"compile", file, "--emit", "ir", "--format", "program"});
    CHECK(result.code == 3);
    CHECK(contains(result.err, file + ": error[WNN0913]"));
  }
  CHECK(contains(webnn_cli({"inspect", text, "--format", "program"}).err, "error[WNN0902]"));
}

TEST_CASE("cli version: as JSON") {
  const json report = json::parse(webnn_cli({"version", "--output-format", "json"}).out);
  CHECK(report["schema"] == "webnn-cli/version/1");
  CHECK(contains(webnn_cli({"version"}).out, "webnn-cli " + report["version"].get<std::string>() + "\n"));
  CHECK(report["kernels"].get<int>() > 100);
}

}  // namespace
}  // namespace webnn::tests::run_test
