// ONNX models that are read in linear time: what each call of a function and each turn of a loop costs is counted, however
// little of it is used, and tensors have few dimensions.
#include <array>
#include <doctest/doctest.h>

#include "api/oracle/evaluate.hpp"
#include "compiler/onnx/import/import_onnx.hpp"
#include "compiler/onnx/reader/onnx_model_reader.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/onnx/onnx_bytes.hpp"
#include "tests/onnx/onnx_node.hpp"
#include "tests/security/processor_time.hpp"

namespace webnn::tests::onnx_turns_test {
namespace {

using namespace webnn::compiler;
using compiler::LoadOptions;  // not those of the interface

template <class T>
Bytes bytes_of(T value) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  return Bytes(std::vector<std::byte>(first, first + sizeof value));
}

/// x, and y that the nodes compute.
OnnxModel model_of(std::vector<OnnxNode> nodes) {
  OnnxModel model;
  model.opset = 17;
  model.opsets = {{"", 17}, {"own", 1}};
  model.inputs = {{"x", OnnxType::float32, {1}}};
  model.outputs = {{"y", OnnxType::float32, {1}}};
  model.nodes = std::move(nodes);
  return model;
}

/// What is wrong with the model; empty: nothing is.
std::string problems_of(const OnnxModel& model, std::uint32_t max_nodes = 1u << 20) {
  LoadOptions options;
  options.max_nodes = max_nodes;
  options.evaluate = api::reference_evaluate();
  Diagnostics diagnostics;
  CHECK(processor_seconds_of([&] { import_onnx(model, options, diagnostics); }) < most_processor_seconds);
  return render(diagnostics);
}

/// A loop whose body has one node with two branches; each branch declares names that nobody uses.
OnnxModel loop(std::int64_t turns, int unused) {
  auto branch = std::make_shared<OnnxGraph>();
  branch->nodes = {onnx_node("Identity", {"s"}, {"o"})};
  for (int i = 0; i < unused; ++i) branch->inputs.push_back({"u" + std::to_string(i), OnnxType::float32, {}});
  branch->outputs = {{"o", OnnxType::float32, {}}};
  OnnxNode choice = onnx_node("If", {"go_on"}, {"t"});
  choice.attributes = {{"then_branch", std::shared_ptr<const OnnxGraph>(branch)},
                       {"else_branch", std::shared_ptr<const OnnxGraph>(branch)}};
  auto body = std::make_shared<OnnxGraph>();
  body->inputs = {{"turn", OnnxType::int64, {}}, {"go_on", OnnxType::boolean, {}}, {"s", OnnxType::float32, {1}}};
  body->outputs = {{"still", OnnxType::boolean, {}}, {"t", OnnxType::float32, {1}}};
  body->nodes = {choice, onnx_node("Identity", {"go_on"}, {"still"})};
  OnnxNode loop = onnx_node("Loop", {"turns", "yes", "x"}, {"y"});
  loop.attributes = {{"body", std::shared_ptr<const OnnxGraph>(body)}};
  OnnxModel model = model_of({loop});
  model.initializers = {{"turns", OnnxType::int64, {}, bytes_of(turns)},
                        {"yes", OnnxType::boolean, {}, bytes_of(true)}};
  return model;
}

/// Calls of a function whose nodes all take the call's attribute.
OnnxModel calls_with_attribute(int calls, int nodes, std::size_t numbers) {
  OnnxFunction function;
  function.domain = "own";
  function.name = "f";
  function.inputs = {"a"};
  function.outputs = {"n" + std::to_string(nodes - 1)};
  for (int i = 0; i < nodes; ++i) {
    OnnxNode next = onnx_node("Identity", {i ? "n" + std::to_string(i - 1) : "a"}, {"n" + std::to_string(i)});
    next.attributes = {{"list", OnnxReference{"list"}}};
    function.nodes.push_back(next);
  }
  OnnxModel model = model_of({});
  model.functions = {function};
  for (int i = 0; i < calls; ++i) {
    OnnxNode call =
        onnx_node("f", {i ? "y" + std::to_string(i) : "x"}, {i + 1 < calls ? "y" + std::to_string(i + 1) : "y"});
    call.domain = "own";
    call.attributes = {{"list", OnnxIntegers(numbers)}};
    model.nodes.push_back(call);
  }
  return model;
}

}  // namespace

TEST_CASE("security: turns of a loop count what their graphs declare") {
  CHECK(problems_of(loop(100, 500), 10'000) == "");
  const std::string refused = problems_of(loop(2000, 500), 10'000);
  CAPTURE(refused);
  CHECK(
      contains(refused, "the turns of loops and calls of functions have more than 80000 names and attributes in all"));
}

TEST_CASE("security: nodes of functions count the attributes that they take from the call") {
  CHECK(problems_of(calls_with_attribute(2, 3, 1000), 1000) == "");
  const std::string refused = problems_of(calls_with_attribute(1, 500, 100'000), 1000);
  CAPTURE(refused);
  CHECK(contains(refused, "names and attributes in all"));
}

TEST_CASE("security: calls that each want other results of a function count all its nodes") {
  constexpr int count = 1000;
  const auto name = [](std::string_view stem, int i) { return std::string(stem) + std::to_string(i); };
  OnnxFunction function;
  function.domain = "own";
  function.name = "f";
  function.inputs = {"a"};
  OnnxModel model = model_of({});
  for (int i = 0; i < count; ++i) {
    function.outputs.push_back(name("b", i));
    function.nodes.push_back(onnx_node("Identity", {"a"}, {function.outputs.back()}));
    OnnxNode call = onnx_node("f", {i ? name("y", i) : "x"}, std::vector<std::string>(std::size_t(i)));
    call.outputs.push_back(i + 1 < count ? name("y", i + 1) : "y");
    call.domain = "own";
    model.nodes.push_back(call);
  }
  model.functions = {function};
  const std::string refused = problems_of(model, 10'000);
  CAPTURE(refused);
  CHECK(contains(refused, "names and attributes in all"));
}

TEST_CASE("security: very many functions, and as many calls of the last one") {
  constexpr int count = 70'000;
  const auto name = [](int i) { return "f" + std::to_string(1'000'000 + i); };
  OnnxModel model = model_of({});
  for (int i = 0; i < count; ++i) {
    OnnxFunction function;
    function.domain = "own";
    function.name = name(i);
    function.inputs = {"a"};
    function.outputs = {"b"};
    function.nodes = {onnx_node("Identity", {"a"}, {"b"})};
    model.functions.push_back(function);
    OnnxNode call = onnx_node(name(count - 1), {i ? "y" + std::to_string(i) : "x"},
                              {i + 1 < count ? "y" + std::to_string(i + 1) : "y"});
    call.domain = "own";
    model.nodes.push_back(call);
  }
  CHECK(problems_of(model) == "");
}

TEST_CASE("security: a node with very many operands and results") {
  std::vector<std::string> results;
  for (int i = 0; i < 200'000; ++i) results.push_back("result" + std::to_string(i));
  results.push_back("y");
  const std::string refused =
      problems_of(model_of({onnx_node("Unheard", std::vector<std::string>(200'000, "x"), results)}));
  CHECK(contains(refused, "this operator is not supported"));
}

TEST_CASE("security: constants, inputs and results with very many dimensions") {
  constexpr std::size_t rank = 100'000;
  const auto problems_with = [&](OnnxNode node, OnnxTensor constant) {
    OnnxModel model = model_of({std::move(node), onnx_node("Add", {"x", "n"}, {"y"})});
    model.initializers = {std::move(constant)};
    return problems_of(model);
  };
  const OnnxIntegers ones(rank, 1);
  OnnxNode einsum = onnx_node("Einsum", {"c"}, {"n"});
  einsum.attributes = {{"equation", std::string("...->...")}};
  for (const OnnxNode& node :
       {einsum, onnx_node("NonZero", {"c"}, {"n"}), onnx_node("Concat", std::vector<std::string>(12'000, "c"), {"n"})})
    CHECK(contains(problems_with(node, {"c", OnnxType::float32, ones, bytes_of(1.0f)}),
                   "'c' has more than 64 dimensions (constant 'c')"));

  const auto shape = std::as_bytes(std::span(ones));
  CHECK(contains(problems_with(onnx_node("ConstantOfShape", {"c"}, {"n"}),
                               {"c", OnnxType::int64, {rank}, Bytes(std::vector(shape.begin(), shape.end()))}),
                 "a tensor has more than 64 dimensions"));

  OnnxModel model = model_of({onnx_node("Relu", {"x"}, {"y"})});
  model.inputs[0].dims = ones;
  CHECK(contains(problems_of(model), "'x' has more than 64 dimensions (input 'x')"));
}

TEST_CASE("security: of very many dimensions in a file few are kept") {
  const onnx_bytes::Sizes sizes(100'000, 1);
  onnx_bytes::Model model;
  model.initializers = {onnx_bytes::tensor("c", onnx_bytes::Type::float32, sizes, "1234")};
  model.inputs = {onnx_bytes::value("x", onnx_bytes::Type::float32, sizes)};
  const std::string text = model.text();
  const auto bytes = std::as_bytes(std::span(text));
  OnnxTensorReader tensors({}, false);
  const OnnxModel read = read_onnx_model(Bytes(std::vector(bytes.begin(), bytes.end())), tensors);
  REQUIRE(read.initializers.size() == 1);
  CHECK(read.initializers[0].dims.size() == most_dimensions + 1);
  CHECK(read.initializers[0].problem == "it has 100000 dimensions, at most 64 can be read");
  REQUIRE(read.inputs.size() == 1);
  CHECK(read.inputs[0].dims.size() == most_dimensions + 1);
}

TEST_CASE("security: an equation with very many terms") {
  constexpr std::size_t terms = 150'000;
  std::vector<std::string> operands(terms, "one");
  operands.front() = operands.back() = "x";
  OnnxNode einsum = onnx_node("Einsum", operands, {"y"});
  einsum.attributes = {{"equation", "i" + std::string(terms - 1, ',') + "i->"}};
  OnnxModel model = model_of({einsum});
  model.initializers = {{"one", OnnxType::float32, {}, bytes_of(1.0f)}};
  CHECK(problems_of(model) == "");
}

TEST_CASE("security: a long name of a constant that very many nodes give another shape") {
  std::string last(std::size_t{1} << 20, 'c');
  OnnxModel model = model_of({});
  model.initializers = {{last, OnnxType::float32, {1}, bytes_of(1.0f)},
                        {"list", OnnxType::int64, {1}, bytes_of(std::int64_t{1})},
                        {"matrix", OnnxType::int64, {2}, bytes_of(std::array<std::int64_t, 2>{1, 1})}};
  for (int i = 0; i < 600; ++i) {
    const std::string next = "r" + std::to_string(i);
    model.nodes.push_back(onnx_node("Reshape", {last, i % 2 ? "list" : "matrix"}, {next}));
    last = next;
  }
  model.nodes.push_back(onnx_node("Add", {"x", last}, {"y"}));
  CHECK(contains(problems_of(model), "the model makes more than 512 MiB of constants and names while it is read"));
}

}  // namespace webnn::tests::onnx_turns_test
