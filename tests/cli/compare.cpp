// `webnn-cli compare` as a user meets it.
#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "api/kernels.hpp"
#include "compiler/frontend/npy.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::compare_test {
namespace {

using nlohmann::json;

std::string digits() { return (source_dir() / "models/digits/digits.json").string(); }

/// y = relu(x * w) + 1, with w = `factor` everywhere.
std::string scaled(const ScratchFolder& scratch, const std::string& name, const std::string& factor) {
  const auto file = scratch.path() / (name + ".json");
  write_file(file, R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [2, 3]}},
    "consts": {"w": {"dataType": "float32", "shape": [2, 3], "init": {"kind": "scalar", "value": )" +
                       factor + R"(}},
               "one": {"dataType": "float32", "shape": [], "init": {"kind": "scalar", "value": 1}}},
    "nodes": [{"id": "scaled", "op": "mul", "inputs": ["x", "w"]}, {"id": "rectified", "op": "relu", "inputs": ["scaled"]},
              {"id": "y", "op": "add", "inputs": ["rectified", "one"]}],
    "outputs": {"y": "y"}})");
  return file.string();
}

TEST_CASE("cli compare: two devices agree within the tolerances of the operators") {
  const CommandResult result =
      webnn_cli({"compare", digits(), "--devices", "cpu,cpu:reference", "--fill", "random", "--first-divergence"});
  CAPTURE(result.out);
  CHECK(result.code == 0);
  for (const char* part :
       {"expected  ", " on cpu\n", " on cpu:reference\n", "probabilities: float32[1, 10]  ", "cosine ", "PSNR ",
        "NaN 0 expected, 0 actual", "1 of 1 output agrees", "no operator differs"})
    CHECK(contains(result.out, part));
}

TEST_CASE("cli compare: kernels, instruction sets, threads and programs are sides, too") {
  const ScratchFolder scratch;
  const std::string program = (scratch.path() / "digits.wnnc").string();
  REQUIRE(webnn_cli({"compile", digits(), "-o", program}).code == 0);
  CHECK(webnn_cli({"compare", digits(), program, "--fill", "ones"}).code == 0);
  for (const std::string_view provider : api::cpu_providers()) {
    if (provider == "reference") continue;
    CHECK(webnn_cli({"compare", digits(), "--kernels", std::string(provider) + ",reference", "--fill", "ones"}).code ==
          0);
  }
  CHECK(webnn_cli({"compare", digits(), "--isa", "baseline,native", "--fill", "ones"}).code == 0);
  CHECK(webnn_cli({"compare", digits(), "--threads", "1,2", "--fill", "ones"}).code == 0);
}

TEST_CASE("cli compare: a changed weight is a mismatch, and the operator is named") {
  const ScratchFolder scratch;
  const std::string good = scaled(scratch, "good", "2"), broken = scaled(scratch, "broken", "2.5");
  const CommandResult text = webnn_cli({"compare", good, broken, "--fill", "ones", "--first-divergence"});
  CAPTURE(text.out);
  CHECK(text.code == 1);
  CHECK(contains(text.out, "y: float32[2, 3]  DIFFERENT"));
  CHECK(contains(text.out, "would pass with ulp="));
  CHECK(contains(text.out, "0 of 1 output agree"));
  CHECK(contains(text.out, "first divergence: operator 'scaled' (mul): its constant 'w' has other contents"));
  CHECK(webnn_cli({"compare", good, broken, "--fill", "ones", "--tol", "atol=0.5"}).code == 0);
  CHECK(webnn_cli({"compare", good, broken, "--fill", "ones", "--tol", "atol=0.49"}).code == 1);

  const json report = json::parse(
      webnn_cli({"compare", good, broken, "--fill", "ones", "--first-divergence", "--output-format", "json"}).out);
  CHECK(report["schema"] == "webnn-cli/compare/1");
  CHECK(report["passed"] == false);
  CHECK(report["outputs"][0]["maxAbsolute"] == 0.5);
  CHECK(report["outputs"][0]["mismatches"] == 6);
  CHECK(report["firstDivergence"]["label"] == "scaled");
}

TEST_CASE("cli compare: the reduced graph is a case that fails as it does, and passes on the good side") {
  const ScratchFolder scratch;
  const std::string good = scaled(scratch, "good", "2"), broken = scaled(scratch, "broken", "2.5");
  const std::string reduced = (scratch.path() / "out/case.json").string();
  CHECK(webnn_cli({"compare", good, broken, "--fill", "ones", "--reduce", reduced}).code == 1);
  CHECK(contains(webnn_cli({"inspect", reduced, "--nodes"}).out, "nodes   1: mul x1"));
  CHECK(compiler::read_npy(scratch.path() / "out/case.input.x.npy").descriptor.shape == schema::Shape{2, 3});
  const CommandResult failing = webnn_cli({"test", reduced});
  CHECK(failing.code == 1);
  CHECK(contains(failing.out, "output 'scaled'"));
  CHECK(webnn_cli({"compare", good, broken, "--fill", "ones", "--reduce", reduced}).code == 2);  // exists
}

TEST_CASE("cli compare: a saved run is compared on its own inputs") {
  const ScratchFolder scratch;
  const std::string folder = (scratch.path() / "saved").string(), good = scaled(scratch, "good", "2");
  const CommandResult saved = webnn_cli({"compare", good, "--input", "x=[1,2,3,4,5,6]", "--save-run", folder});
  CHECK(saved.code == 0);
  CHECK(saved.out.empty());
  const CommandResult same = webnn_cli({"compare", good, "--ref", folder});
  CHECK(same.code == 0);
  CHECK(contains(same.out, ", saved\n"));
  CHECK(webnn_cli({"compare", scaled(scratch, "broken", "3"), "--ref", folder}).code == 1);
  CHECK(webnn_cli({"compare", folder, folder}).code == 0);  // two folders: bit for bit
  CHECK(webnn_cli({"compare", good, "--ref", (scratch.path() / "none").string()}).code == 6);
  write_file(scratch.path() / "saved/run.json", "{}");
  CHECK(webnn_cli({"compare", good, "--ref", folder}).code == 3);
}

TEST_CASE("cli compare: --fill is refused where a saved run has all inputs") {
  const ScratchFolder scratch;
  const std::string folder = (scratch.path() / "saved").string(), good = scaled(scratch, "good", "2");
  REQUIRE(webnn_cli({"compare", good, "--input", "x=[1,2,3,4,5,6]", "--save-run", folder}).code == 0);
  const CommandResult filled = webnn_cli({"compare", good, "--ref", folder, "--fill", "ones"});
  CHECK(filled.code == 2);
  CHECK(contains(filled.err, "--fill fills nothing: '" + folder + "' has saved all inputs"));
  CHECK(webnn_cli({"compare", good, "--ref", folder, "--input", "x=[1,2,3,4,5,6]"}).code == 0);
  std::filesystem::remove(folder + "/inputs/x.npy");
  CHECK(webnn_cli({"compare", good, "--ref", folder, "--fill", "ones"}).code == 1);
}

TEST_CASE("cli compare: results that no output has are named") {
  const ScratchFolder scratch;
  const std::string folder = (scratch.path() / "saved").string(), good = scaled(scratch, "good", "2");
  REQUIRE(webnn_cli({"compare", good, "--fill", "ones", "--save-run", folder}).code == 0);
  CHECK(webnn_cli({"compare", good, "--ref", folder}).err.empty());
  std::filesystem::copy_file(folder + "/y.npy", folder + "/Y.npy");
  const CommandResult result = webnn_cli({"compare", good, "--ref", folder});
  CHECK(result.code == 0);
  CHECK(contains(result.err, "warning: not read, because the graph has no input or output of the name: 'Y.npy'"));
}

TEST_CASE("cli compare: one of two outputs agrees, and the last line says so in good English") {
  const ScratchFolder scratch;
  const std::string graph = (scratch.path() / "two.json").string(), folder = (scratch.path() / "saved").string();
  write_file(graph, R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [1]}},
    "nodes": [{"id": "y", "op": "relu", "inputs": ["x"]}, {"id": "z", "op": "neg", "inputs": ["x"]}],
    "outputs": {"y": "y", "z": "z"}})");
  REQUIRE(webnn_cli({"compare", graph, "--input", "x=[-1]", "--save-run", folder}).code == 0);
  const CommandResult result = webnn_cli({"compare", graph, "--ref", folder, "--input", "x=[-2]"});
  CHECK(result.code == 1);
  CHECK(contains(result.out, "\n1 of 2 outputs agree\n"));
}

TEST_CASE("cli compare: a folder of expected results beside a model, and a JUnit report") {
  const ScratchFolder scratch;
  const std::string junit = (scratch.path() / "report.xml").string();
  const std::string models = (source_dir() / "models/digits").string();
  const CommandResult result = webnn_cli({"compare", digits(), "--ref", models, "--input",
                                          "image=@" + models + "/digits.input.image.npy", "--junit", junit});
  CAPTURE(result.out);
  CHECK(result.code == 0);
  const std::string xml = read_file(junit);
  CHECK(contains(xml, "<testsuite name="));
  CHECK(contains(xml, "name=\"probabilities\""));
}

TEST_CASE("cli compare: outputs that the other side lacks or shapes otherwise are mismatches") {
  const ScratchFolder scratch;
  const auto folder = scratch.path() / "ref";
  std::filesystem::create_directories(folder);
  const std::string good = scaled(scratch, "good", "2");
  const float numbers[] = {1, 2};
  write_file(folder / "y.npy",
             compiler::npy_bytes({schema::DataType::float32, schema::Shape{2}}, std::as_bytes(std::span(numbers))));
  const CommandResult shape = webnn_cli({"compare", good, "--ref", folder.string(), "--fill", "ones"});
  CHECK(shape.code == 1);
  CHECK(contains(shape.out, "it is float32[2, 3] on the other side"));
}

TEST_CASE("cli compare: wrong words are refused before anything runs") {
  const ScratchFolder scratch;
  const std::string good = scaled(scratch, "good", "2");
  CHECK(webnn_cli({"compare", good}).code == 2);
  CHECK(contains(webnn_cli({"compare", good}).err, "there is nothing to compare"));
  CHECK(webnn_cli({"compare", good, good, good}).code == 2);
  CHECK(webnn_cli({"compare", good, good, "--ref", scratch.path().string()}).code == 2);
  CHECK(webnn_cli({"compare", good, "--devices", "cpu,cpu:refrence", "--fill", "ones"}).code == 2);
  CHECK(webnn_cli({"compare", good, good, "--tol", "tol=3"}).code == 2);
  CHECK(webnn_cli({"compare", good, good}).code == 2);  // inputs are missing
  CHECK(webnn_cli({"compare", good, "--ref", scratch.path().string(), "--first-divergence"}).code == 2);
  CHECK(webnn_cli({"compare", good, (scratch.path() / "none.json").string(), "--fill", "ones"}).code == 6);
}

TEST_CASE("cli compare: --save-run overwrites a saved run only with --force") {
  const ScratchFolder scratch;
  const std::string model = (source_dir() / "models/digits/digits.json").string();
  const std::string folder = (scratch.path() / "run").string();
  const std::vector<std::string> words{"compare", model, "--save-run", folder, "--fill", "ones"};
  REQUIRE(webnn_cli(words).code == 0);
  const std::string before = read_file(folder + "/probabilities.npy");
  std::vector<std::string> again = words;
  again.back() = "zeros";
  const CommandResult refused = webnn_cli(again);
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "run.json' exists"));
  CHECK(contains(refused.err, "hint: --force overwrites it"));
  CHECK(read_file(folder + "/probabilities.npy") == before);
  again.emplace_back("--force");
  CHECK(webnn_cli(again).code == 0);
  CHECK(read_file(folder + "/probabilities.npy") != before);
  // Tensors of somebody else are not overwritten either.
  write_file(scratch.path() / "mine/probabilities.npy", "mine");
  CHECK(webnn_cli({"compare", model, "--save-run", (scratch.path() / "mine").string(), "--fill", "ones"}).code == 2);
  CHECK(read_file(scratch.path() / "mine/probabilities.npy") == "mine");
}

}  // namespace
}  // namespace webnn::tests::compare_test
