// Little text that takes much memory: filled and folded constants, and tables that kernels prepare, are counted against
// --max-memory before they are made.
#include <doctest/doctest.h>
#include <filesystem>

#include "schema/elements/aligned_bytes.hpp"
#include "schema/error.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/providers.hpp"

namespace webnn::tests::memory_limit_test {
namespace {

namespace fs = std::filesystem;

using namespace webnn::schema;

/// A constant that is doubled `times` times, and the largest of its elements.
std::string doubling(int times) {
  std::string nodes;
  std::string last = "c";
  for (int i = 0; i < times; ++i) {
    const std::string name = "n" + std::to_string(i);
    nodes += R"({"id":")" + name + R"(","op":"concat","inputs":[")" + last + R"(",")" + last +
             R"("],"options":{"axis":0}},)";
    last = name;
  }
  return R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"float32","shape":[1]}},
    "consts":{"c":{"dataType":"float32","shape":[1],"init":{"kind":"scalar","value":1}}},"nodes":[)" +
         nodes + R"({"id":"y","op":"add","inputs":["x",")" + last + R"("]}],"outputs":{"y":"y"}})";
}

std::string filled(const std::string& shape) {
  return R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"float32","shape":[1]}},
    "consts":{"c":{"dataType":"float32","shape":)" +
         shape + R"(,"init":{"kind":"scalar","value":1}}},
    "nodes":[{"id":"y","op":"mul","inputs":["x","c"]},{"id":"z","op":"reduceMax","inputs":["y"]}],"outputs":{"y":"z"}})";
}

/// A recurrent network of few numbers and many time steps.
std::string recurrent(unsigned steps) {
  const std::string count = std::to_string(steps);
  const std::string weights = R"({"dataType":"float32","shape":[1,4,1],"init":{"kind":"scalar","value":0.5}})";
  return R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"float32","shape":[)" + count +
         R"(,1,1]}},"consts":{"w":)" + weights + R"(,"r":)" + weights +
         R"(},"nodes":[{"id":"y","op":"lstm","inputs":["x","w","r"],"options":{"steps":)" + count +
         R"(,"hiddenSize":1},"outputs":["h","c"]}],"outputs":{"h":"h","c":"c"}})";
}

/// Few elements, resampled to many along one axis, and folded again.
std::string resampled(unsigned rows) {
  return R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"float32","shape":[1,1,2,1]}},
    "nodes":[{"id":"y","op":"resample2d","inputs":["x"],"options":{"mode":"linear","sizes":[)" +
         std::to_string(rows) +
         R"(,1],"axes":[2,3]}},{"id":"z","op":"reduceMax","inputs":["y"]}],"outputs":{"y":"z"}})";
}

/// Nodes with 8192 results each, of which the file names the first.
std::string splits(int count) {
  std::string nodes;
  for (int i = 0; i < count; ++i)
    nodes += (i ? R"(,{"id":"s)" : R"({"id":"s)") + std::to_string(i) +
             R"(","op":"split","inputs":["x"],"options":{"splits":8192}})";
  return R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"uint8","shape":[8192]}},"nodes":[)" +
         nodes + R"(],"outputs":{"y":"s0"}})";
}

/// `results` functions of bytes that have a long beginning in common.
std::string functions_of_bytes(int results) {
  const auto node = [](const std::string& id, const std::string& op, const std::string& inputs,
                       const std::string& options = "{}") {
    return R"({"id":")" + id + R"(","op":")" + op + R"(","inputs":[)" + inputs + R"(],"options":)" + options + "},";
  };
  const auto quoted = [](const std::string& name) { return '"' + name + '"'; };
  std::string nodes = node("q", "quantizeLinear", R"("x","s","z")") + node("a0", "dequantizeLinear", R"("q","s","z")");
  for (int i = 1; i < 60; ++i)
    nodes += node("a" + std::to_string(i), "leakyRelu", quoted("a" + std::to_string(i - 1)), R"({"alpha":0.9})");
  std::string all;
  for (int i = 0; i < results; ++i) {
    const std::string number = std::to_string(i);
    nodes += node("b" + number, "leakyRelu", quoted("a59"), R"({"alpha":)" + std::to_string(1 + 1e-4 * i) + "}");
    nodes += node("c" + number, "quantizeLinear", quoted("b" + number) + R"(,"s","z")");
    all += (i == 0 ? "" : ",") + quoted("c" + number);
  }
  nodes += node("y", "concat", all, R"({"axis":0})");
  nodes.pop_back();
  return R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"float32","shape":[8]}},"consts":{
    "s":{"dataType":"float32","shape":[1],"init":{"kind":"scalar","value":0.05}},
    "z":{"dataType":"uint8","shape":[1],"init":{"kind":"scalar","value":100}}},"nodes":[)" +
         nodes + R"(],"outputs":{"y":"y"}})";
}

CommandResult run(const std::string& graph, std::vector<std::string> options) {
  const ScratchFolder scratch;
  write_file(scratch.path() / "g.json", graph);
  std::vector<std::string> arguments{"run", (scratch.path() / "g.json").string(), "--fill", "ones"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return webnn_cli(arguments);
}

void is_refused_below(const std::string& graph, const char* too_little, const char* enough) {
  CAPTURE(too_little);
  const CommandResult refused = run(graph, {"--max-memory", too_little});
  CAPTURE(refused.err);
  CHECK(refused.code == 7);
  CHECK(contains(refused.err, "bytes of memory, the limit is"));
  const CommandResult runs = run(graph, {"--max-memory", enough});
  CAPTURE(runs.err);
  CHECK(runs.code == 0);
}

}  // namespace

TEST_CASE("security: --max-memory counts constants that are filled, folded and packed") {
  is_refused_below(filled("[1000,1000]"), "3M", "20M");
  // 2^20 floats are folded from one, by way of 2^19 and so on: together 8 MB, of which 4 remain.
  is_refused_below(doubling(20), "6M", "40M");
}

TEST_CASE("security: --max-memory counts the tensors of test vectors that are filled") {
  const ScratchFolder scratch;
  const std::string tensor = R"({"descriptor":{"dataType":"float32","shape":[1000000]},"data":1})";
  write_file(scratch.path() / "vectors.json",
             R"({"tests":[{"name":"t","tolerance":{"metricType":"ULP","value":0},"graph":{"inputs":{"a":)" + tensor +
                 R"(},"operators":[{"name":"abs","arguments":[{"input":"a"}],"outputs":"y"}],"expectedOutputs":{"y":)" +
                 tensor + "}}}]}");
  for (const fs::path& suite : {scratch.path(), scratch.path() / "vectors.json"}) {
    CAPTURE(suite);
    const CommandResult refused = webnn_cli({"test", suite.string(), "--max-memory", "6M"});
    CHECK(refused.code != 0);
    CHECK(contains(refused.out + refused.err, "bytes of memory, the limit is"));
    const CommandResult passes = webnn_cli({"test", suite.string(), "--max-memory", "40M"});
    CAPTURE(passes.out);
    CHECK(passes.code == 0);
  }
}

TEST_CASE("security: run makes no inputs that are beyond the limits") {
  const std::string graph =
      R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"float32","shape":[50000000]}},
    "nodes":[{"id":"y","op":"reduceMax","inputs":["x"]}],"outputs":{"y":"y"}})";
  const CommandResult refused = run(graph, {"--max-memory", "1M"});
  CHECK(refused.code == 7);
  CHECK(contains(refused.err, "the graph's inputs need 200000000 bytes of memory, the limit is"));
}

TEST_CASE("security: --max-memory and --max-nodes count results that a file does not name") {
  is_refused_below(splits(20), "20M", "200M");  // each of 164 thousand takes half a kilobyte
  const CommandResult refused = run(splits(20), {"--max-nodes", "100000"});
  CHECK(refused.code == 7);
  CHECK(contains(refused.err, "the nodes have more than 100000 results that the file does not name"));
}

TEST_CASE("security: functions of bytes share what they have in common") {
  // Each copy of the beginning would take 140 KB.
  const CommandResult runs = run(functions_of_bytes(2'000), {"--max-memory", "50M"});
  CAPTURE(runs.err);
  CHECK(runs.code == 0);
}

TEST_CASE("security: --max-memory counts the tables of kernels") {
  // A table of samples takes 24 bytes for each row, the result 4.
  const std::string graph = resampled(1'000'000);
  is_refused_below(graph, "8M", "80M");
}

TEST_CASE("security: --max-memory counts the code that oneDNN makes, and much padding makes none") {
  // 200 convolutions of different lengths: about 50 MB of code for 40 KB of text.
  std::string nodes, outputs;
  for (int i = 0; i < 200; ++i) {
    const std::string name = std::to_string(i), length = std::to_string(20 + i);
    nodes += R"({"id":"s)" + name + R"(","op":"slice","inputs":["x"],"options":{"starts":[0,0,0,0],"sizes":[1,3,)" +
             length + R"(,1]}},{"id":"y)" + name + R"(","op":"conv2d","inputs":["s)" + name +
             R"(","w"],"options":{"padding":[1,1,0,0]}},)";
    outputs += (i == 0 ? R"("y)" : R"(,"y)") + name + R"(":"y)" + name + '"';
  }
  nodes.pop_back();
  const std::string many =
      R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"float32","shape":[1,3,300,1]},"w":{"dataType":
      "float32","shape":[16,3,3,1]}},"nodes":[)" +
      nodes + R"(],"outputs":{)" + outputs + "}}";
  const bool has_code = has_provider("onednn") && machine_has(Feature::avx2);
  CHECK(run(many, {"--max-memory", "30M", "--kernels", "reference"}).code == 0);
  if (has_code) is_refused_below(many, "30M", "500M");

  // A window as long as the line, and as much padding: 26 s and 300 MB, not counted anywhere.
  const std::string padded =
      R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"float32","shape":[1,1,8000,1]},"w":{"dataType":
      "float32","shape":[1,1,8001,1]}},"nodes":[{"id":"y","op":"conv2d","inputs":["x","w"],"options":{"padding":
      [8000,8000,0,0]}}],"outputs":{"y":"y"}})";
  const CommandResult runs = run(padded, {"--max-memory", "4M"});
  CAPTURE(runs.err);
  CHECK(runs.code == 0);
}

TEST_CASE("security: --max-memory counts weights as libraries fill them up") {
  // XNNPACK has 16 outputs for each group, oneDNN 8 for the only one.
  const auto convolution = [](const std::string& input, const std::string& filter, const std::string& options) {
    return R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"float32","shape":)" + input +
           R"(}},"consts":{"w":{"dataType":"float32","shape":)" + filter +
           R"(,"init":{"kind":"scalar","value":1}}},"nodes":[{"id":"y","op":"conv2d","inputs":["x","w"],"options":{)" +
           options + R"(}}],"outputs":{"y":"y"}})";
  };
  const std::string groups = convolution("[1,60000,1,1]", "[30000,2,1,1]", R"("groups":30000)");
  if (has_provider("xnnpack")) {
    CHECK(run(groups, {"--kernels", "xnnpack", "--max-memory", "4M"}).code == 7);
    CHECK(run(groups, {"--kernels", "xnnpack", "--max-memory", "40M"}).code == 0);
  }
  if (!has_provider("onednn") || !machine_has(Feature::avx2)) return;
  const ScratchFolder scratch;
  const std::string graph = (scratch.path() / "g.json").string(), program = (scratch.path() / "p.wnnc").string();
  write_file(graph, convolution("[1,1024,9,9]", "[1,1024,9,9]", ""));
  const std::vector<std::string> run_program{"run", program, "--fill", "ones", "--isa", "avx2", "--max-memory"};
  const auto code_with = [&](const char* limit) {
    std::vector<std::string> arguments = run_program;
    arguments.emplace_back(limit);
    return webnn_cli(arguments).code;
  };
  REQUIRE(webnn_cli({"compile", graph, "-o", program, "-O", "0", "--kernels", "onednn", "--isa", "avx2"}).code == 0);
  CHECK(code_with("2M") == 7);
  CHECK(code_with("40M") == 0);
}

TEST_CASE("security: --max-memory counts a GPU's copies of constants") {
  if (!open_test_gpu()) return;
  const std::string graph = filled("[1000,1000]");
  // 4 MB each: the constant, its copy, and the product.
  CHECK(run(graph, {"--device", "gpu", "--max-memory", "10M"}).code == 7);
  CHECK(run(graph, {"--device", "gpu", "--max-memory", "40M"}).code == 0);
}

TEST_CASE("security: --max-memory counts what a GPU keeps for the time steps of a network") {
  if (!open_test_gpu()) return;
  const std::string graph = recurrent(2'000);
  for (const char* const limit : {"200k", "2M"}) {
    const CommandResult refused = run(graph, {"--device", "gpu", "--max-memory", limit});
    CAPTURE(refused.err);
    CHECK(refused.code == 7);
    CHECK(contains(refused.err, "bytes of memory, the limit is"));
  }
  const CommandResult runs = run(graph, {"--device", "gpu", "--max-memory", "20M"});
  CAPTURE(runs.err);
  CHECK(runs.code == 0);
}

TEST_CASE("security: an account counts what its thread allocates as long as it lives, and only that") {
  const auto account = std::make_shared<MemoryAccount>(1000);
  AlignedBytes uncounted(5000);
  {
    const AccountScope scope(account);
    const AlignedBytes some(600);
    CHECK(account->taken() == 600);
    CHECK_THROWS_AS(AlignedBytes(500), Error);
    CHECK(account->taken() == 600);
    CountedVector<std::uint32_t> list(100);
    CHECK(account->taken() == 1000);
    CHECK_THROWS_AS(list.resize(1000), Error);
    CountedVector<std::uint32_t> moved = std::move(list);
    CHECK(account->taken() == 1000);
    {
      const AccountScope inner(std::uint64_t{0});
      const AlignedBytes other(100'000);
      CHECK(account->taken() == 1000);
    }
    uncounted = AlignedBytes(0);
  }
  CHECK(account->taken() == 0);
  Bytes kept;
  {
    const AccountScope scope(account);
    AlignedBytes bytes(700);
    kept = std::move(bytes).take();
  }
  CHECK(account->taken() == 700);
  kept = {};
  CHECK(account->taken() == 0);
}

}  // namespace webnn::tests::memory_limit_test
