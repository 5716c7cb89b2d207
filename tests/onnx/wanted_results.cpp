// Of functions and branches, only what the model uses is read.
#include <doctest/doctest.h>

#include "api/oracle/evaluate.hpp"
#include "compiler/onnx/import/import_onnx.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/onnx/onnx_node.hpp"

namespace webnn::tests::wanted_results_test {
namespace {

using namespace webnn::compiler;
using compiler::LoadOptions;  // not those of the interface

/// Its second result is one that cannot be read.
std::vector<OnnxNode> body() { return {onnx_node("Relu", {"x"}, {"good"}), onnx_node("Unheard", {"x"}, {"bad"})}; }

/// A node of two results, the first of which is y, and the graph's.
OnnxModel model_of(OnnxNode two, std::string second) {
  OnnxModel model;
  model.opset = 17;
  model.opsets = {{"", 17}, {"own", 1}};
  model.inputs = {{"x", OnnxType::float32, {2}}, {"c", OnnxType::boolean, {1}}};
  model.outputs = {{"y", OnnxType::float32, {2}}};
  two.outputs = {"y", std::move(second)};
  model.nodes = {two};
  return model;
}

OnnxModel branches(std::string second) {
  auto branch = std::make_shared<OnnxGraph>();
  branch->nodes = body();
  branch->outputs = {{"good", OnnxType::float32, {2}}, {"bad", OnnxType::float32, {2}}};
  OnnxNode choice = onnx_node("If", {"c"}, {});
  choice.attributes = {{"then_branch", std::shared_ptr<const OnnxGraph>(branch)},
                       {"else_branch", std::shared_ptr<const OnnxGraph>(branch)}};
  return model_of(choice, std::move(second));
}

OnnxModel function_call(std::string second) {
  OnnxFunction function;
  function.domain = "own";
  function.name = "f";
  function.inputs = {"x"};
  function.outputs = {"good", "bad"};
  function.nodes = body();
  OnnxNode call = onnx_node("f", {"x"}, {});
  call.domain = "own";
  OnnxModel model = model_of(call, std::move(second));
  model.functions = {function};
  return model;
}

std::string problems_of(const OnnxModel& model) {
  LoadOptions options;
  options.evaluate = api::reference_evaluate();
  Diagnostics diagnostics;
  import_onnx(model, options, diagnostics);
  return render(diagnostics);
}

}  // namespace

TEST_CASE("onnx wanted results: what a function or branch computes for nobody may be anything") {
  for (const auto make : {branches, function_call}) {
    CHECK(problems_of(make("")) == "");
    CHECK(problems_of(make("named")).find("Unheard") != std::string::npos);
  }
}

TEST_CASE("onnx wanted results: each call of a function has its own") {
  OnnxModel model = function_call("");
  OnnxNode other = model.nodes[0];
  other.outputs = {"", "z"};
  model.nodes.push_back(other);
  CHECK(problems_of(model) == "");  // nobody needs z
  model.outputs.push_back({"z", OnnxType::float32, {2}});
  CHECK(problems_of(model).find("Unheard") != std::string::npos);
}

}  // namespace webnn::tests::wanted_results_test
