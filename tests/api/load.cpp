// Graph files through the public C++ interface.
#include "api/load.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <vector>

#include "tests/harness/paths.hpp"

namespace load_test {

namespace {

using webnn::tests::ScratchFolder;
using webnn::tests::write_file;

/// A graph whose operator and options are given.
std::string graph_text(const std::string& node) {
  return R"({
  "format": "webnn-graph-json", "version": 2,
  "inputs": {"x": {"dataType": "float32", "shape": [{"name": "rows", "maxSize": 9}, 2]}},
  "nodes": [)" +
         node + R"(],
  "outputs": {"y": "y"}
})";
}

webnn::Error error_of(const std::string& text, const webnn::LoadOptions& options) {
  try {
    webnn::loadGraphText(webnn::Context(), text, options);
  } catch (const webnn::Error& error) {
    return error;
  }
  FAIL("the graph was loaded");
  return {webnn::schema::ExitCode::success, {}};
}

}  // namespace

TEST_CASE("load.hpp: a graph file is compiled with the sizes of its named dimensions, and runs") {
  const ScratchFolder scratch;
  write_file(scratch.path() / "graph.json", graph_text(R"({"id": "y", "op": "neg", "inputs": ["x"]})"));
  webnn::Context context;
  const webnn::Graph graph = webnn::loadGraph(context, scratch.path() / "graph.json", {.dimensions = {{"rows", 3}}});
  REQUIRE(graph.inputs().size() == 1);
  CHECK(graph.inputs()[0].name == "x");
  CHECK(graph.inputs()[0].shape == webnn::Dimensions{3, 2});
  REQUIRE(graph.outputs().size() == 1);
  CHECK(graph.outputs()[0].dataType == webnn::DataType::float32);

  const webnn::TensorDescriptor descriptor{.shape = {3, 2}, .readable = true, .writable = true};
  const webnn::Tensor x = context.createTensor(descriptor), y = context.createTensor(descriptor);
  const std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
  context.writeTensor(x, std::as_bytes(std::span(numbers)));
  context.dispatch(graph, {{"x", x}}, {{"y", y}});
  std::vector<float> result(6);
  context.readTensor(y, std::as_writable_bytes(std::span(result))).get();
  CHECK(result == std::vector<float>{-1, -2, -3, -4, -5, -6});
}

TEST_CASE("load.hpp: the error of a broken file holds every diagnostic with its place") {
  const webnn::Error error = error_of(graph_text(R"(
    {"id": "a", "op": "nega", "inputs": ["x"]},
    {"id": "y", "op": "softmax", "inputs": ["x"], "options": {"axis": 7}})"),
                                      {.dimensions = {{"rows", 3}}});
  CHECK(error.code() == webnn::schema::ExitCode::invalid_input);
  const std::string text = error.what();
  CHECK(text.starts_with("'graph' has 2 errors:\ngraph:5:"));
  CHECK(text.find("unknown operator 'nega'") != std::string::npos);
  CHECK(text.find("graph:6:") != std::string::npos);
  CHECK(text.find("did you mean 'neg'?") != std::string::npos);
  CHECK(!text.ends_with("\n"));
}

TEST_CASE("load.hpp: warnings are handed over and stop nothing") {
  std::string warnings;
  const webnn::LoadOptions options{.dimensions = {{"rows", 3}},
                                   .warning = [&](const std::string& text) { warnings += text; }};
  webnn::loadGraphText(webnn::Context(),
                       graph_text(R"({"id": "y", "op": "cast", "inputs": ["x"], "options": {"type": "int32"}})"),
                       options);
  CHECK(warnings.starts_with("graph:4:"));
  CHECK(warnings.find("warning[WNN") != std::string::npos);
}

TEST_CASE("load.hpp: errors name what a caller of the library can do") {
  const ScratchFolder scratch;
  webnn::Context context;
  /// The code and the text of the error that a call throws, with its hint.
  const auto error_of_call = [](const std::function<void()>& call) -> std::string {
    try {
      call();
    } catch (const webnn::Error& error) {
      return std::to_string(int(error.code())) + ": " + error.what() + "\n" + error.hint();
    }
    return {};
  };
  const auto has = [](const std::string& text, std::string_view part) { return text.find(part) != text.npos; };
  const auto models = webnn::tests::source_dir() / "models";

  const std::string sizes =
      error_of_call([&] { webnn::loadGraphText(context, graph_text(R"({"id": "y", "op": "neg", "inputs": ["x"]})")); });
  CHECK(sizes.starts_with("2: "));
  CHECK(has(sizes, "give its size: `--dim rows=4`, or `dimensions` in the library"));
  CHECK(error_of_call([&] { webnn::Context({.isa = "sse"}); }).starts_with("2: 'sse' is no instruction set\n"));
  const std::string onnx = error_of_call([&] { webnn::loadGraph(context, models / "onnx/digits.onnx"); });
  CHECK(has(onnx, "digits.onnx: error[WNN0102]: this is no graph file\n  hint: "));
  CHECK(has(onnx, "`webnn-cli convert model.onnx -o model.wnnb` makes one"));
  const std::string graph = error_of_call([&] { webnn::loadProgram(context, models / "digits/digits.json"); });
  CHECK(graph.starts_with("8: "));
  CHECK(has(graph, "this is no program file: it begins with '{"));
  CHECK(has(graph, "`webnn-cli compile` makes one of a graph"));
  write_file(scratch.path() / "short.json", "{}");
  CHECK(has(error_of_call([&] { webnn::loadProgram(context, scratch.path() / "short.json"); }), "no program file"));
  write_file(scratch.path() / "p.wnnc", "WNNC");
  CHECK(has(error_of_call([&] { webnn::loadGraph(context, scratch.path() / "p.wnnc"); }), "loadProgram loads it"));
  CHECK(has(error_of_call([&] { webnn::loadProgram(context, scratch.path() / "p.wnnc"); }), "a header of 64 bytes"));
}

TEST_CASE("load.hpp: limits and missing sizes") {
  const std::string text = graph_text(R"({"id": "y", "op": "neg", "inputs": ["x"]})");
  CHECK(error_of(text, {}).code() != webnn::schema::ExitCode::success);
  CHECK(error_of(text, {.dimensions = {{"rows", 10}}}).code() != webnn::schema::ExitCode::success);
  CHECK(error_of(text, {.dimensions = {{"rows", 3}}, .maxTensorBytes = 16}).code() ==
        webnn::schema::ExitCode::resource);
  CHECK(error_of(text, {.dimensions = {{"rows", 3}}, .maxFileBytes = 16}).code() == webnn::schema::ExitCode::resource);
  CHECK_THROWS_AS(webnn::loadGraphText(webnn::Context({.maxMemory = 16}), text, {.dimensions = {{"rows", 3}}}),
                  webnn::Error);
}

}  // namespace load_test
