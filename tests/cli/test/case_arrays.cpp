// The arrays beside a graph that make it a case of `webnn-cli test`: their names, and the sizes that they give.
#include <doctest/doctest.h>
#include <filesystem>
#include <span>

#include "compiler/frontend/npy.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::case_arrays_test {
namespace {

namespace fs = std::filesystem;

/// y = relu(x)
void write_graph(const fs::path& file, const std::string& shape) {
  write_file(file, R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": )" +
                       shape + R"(}},
    "nodes": [{"id": "y", "op": "relu", "inputs": ["x"]}], "outputs": {"y": "y"}})");
}

/// An array of ones beside a case's graph.
void write_ones(const fs::path& file, const schema::Shape& shape) {
  const schema::OperandDescriptor descriptor{schema::DataType::float32, shape};
  const std::vector<float> ones(schema::element_count(shape), 1);
  write_file(file, compiler::npy_bytes(descriptor, std::as_bytes(std::span(ones))));
}

TEST_CASE("cli test: a case's arrays give its dimensions their sizes, and each has a name of the graph") {
  const ScratchFolder scratch;
  write_graph(scratch.path() / "a.json", R"([{"name": "batch", "maxSize": 4}])");
  write_graph(scratch.path() / "b.json", "[2]");
  write_ones(scratch.path() / "a.input.x.npy", {3});
  write_ones(scratch.path() / "a.expected.y.npy", {3});
  for (const char* name : {"b.input.x.npy", "b.expected.y.npy"}) write_ones(scratch.path() / name, {2});
  const std::string folder = scratch.path().string();
  CHECK(contains(webnn_cli({"test", folder}).out, "2 passed, 0 failed"));
  CHECK(contains(webnn_cli({"test", folder, "--dim", "batch=3"}).out, "2 passed, 0 failed"));

  write_ones(scratch.path() / "b.input.xx.npy", {2});
  CHECK(contains(webnn_cli({"test", folder}).out, "'b.input.xx.npy' is for no input of the graph"));
  fs::remove(scratch.path() / "b.input.xx.npy");
  fs::rename(scratch.path() / "b.expected.y.npy", scratch.path() / "b.expected.z.npy");
  CHECK(contains(webnn_cli({"test", folder}).out, "'b.expected.z.npy' is for no output of the graph"));
}

}  // namespace
}  // namespace webnn::tests::case_arrays_test
