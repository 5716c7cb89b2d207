// Models of one ONNX node, run on the reference kernels.
#pragma once

#include <cmath>
#include <doctest/doctest.h>
#include <map>
#include <string>
#include <vector>

#include "api/oracle/evaluate.hpp"
#include "compiler/onnx/import/import_onnx.hpp"
#include "compiler/passes/pipeline.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/evaluate_graph.hpp"

namespace webnn::tests {

using compiler::OnnxIntegers;
using compiler::OnnxType;
using Reals = std::vector<double>;

/// Numbers between -1 and 1 with few digits.
inline Reals some(std::int64_t count, unsigned seed) {
  Reals result;
  for (std::int64_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    result.push_back(double((seed >> 16) % 257) / 128 - 1);
  }
  return result;
}

/// A model of one node.
class OneNode {
 public:
  explicit OneNode(std::string op_type, std::string domain = "com.microsoft") {
    node_.op_type = std::move(op_type);
    node_.domain = std::move(domain);
    model_.opsets = {{"", 24}, {"com.microsoft", 1}};
    model_.opset = 24;
  }

  OneNode& set(std::string name, compiler::OnnxAttribute::Value value) {
    node_.attributes.push_back({std::move(name), std::move(value)});
    return *this;
  }
  OneNode& set(std::string name, int value) {
    return set(std::move(name), compiler::OnnxAttribute::Value(std::int64_t{value}));
  }
  OneNode& set(std::string name, float value) { return set(std::move(name), compiler::OnnxAttribute::Value(value)); }
  OneNode& input(const OnnxIntegers& dims, const Reals& values, OnnxType type = OnnxType::float32) {
    const std::string name = "in" + std::to_string(node_.inputs.size());
    model_.inputs.push_back({name, type, dims, std::vector<std::string>(dims.size())});
    inputs_.emplace_back(name, made(type, dims, values));
    node_.inputs.push_back(name);
    return *this;
  }
  OneNode& constant(const OnnxIntegers& dims, const Reals& values, OnnxType type = OnnxType::float32) {
    const std::string name = "constant" + std::to_string(node_.inputs.size());
    model_.initializers.push_back({name, type, dims, Bytes(made(type, dims, values).data)});
    node_.inputs.push_back(name);
    return *this;
  }
  OneNode& absent() {
    node_.inputs.emplace_back();
    return *this;
  }

  /// The graph with so many results.
  const compiler::Graph& graph(std::size_t results = 1) {
    Diagnostics diagnostics;
    if (!import(results, diagnostics)) FAIL(render(diagnostics));
    return graph_;
  }
  /// What is said when the model is refused.
  std::string refusal(std::size_t results = 1) {
    Diagnostics diagnostics;
    CHECK_FALSE(import(results, diagnostics));
    return render(diagnostics);
  }

  std::vector<Reals> run(std::size_t results = 1) {
    graph(results);
    std::vector<Reals> values;
    for (const auto& [name, result] : evaluate_graph(graph_, inputs_)) {
      values.emplace_back();
      for (const Number& number : numbers(result)) values.back().push_back(number.as_double());
    }
    return values;
  }

  /// How many calls of an operator the compiler makes of the graph.
  std::size_t recognised(OperatorId op) const {
    compiler::Options options = options_of_tests();
    options.evaluate = api::reference_evaluate();
    options.target.features = Feature(~0u);
    options.stop_after = "remove_dead";
    Diagnostics diagnostics;
    compiler::Unit unit{graph_, {}, options, diagnostics, {}};
    compiler::run_pipeline(unit);
    std::size_t count = 0;
    for (const compiler::NodeId id : unit.graph.order()) count += unit.graph.node(id).op == op;
    return count;
  }

 private:
  bool import(std::size_t results, Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < results; ++i) {
      node_.outputs.push_back("out" + std::to_string(i));
      model_.outputs.push_back({node_.outputs.back(), OnnxType::float32, {}});
    }
    model_.nodes.push_back(node_);
    compiler::LoadOptions options;
    options.evaluate = api::reference_evaluate();
    auto graph = compiler::import_onnx(model_, options, diagnostics);
    if (graph) graph_ = std::move(*graph);
    return graph.has_value();
  }

  static TestTensor made(OnnxType type, const OnnxIntegers& dims, const Reals& values) {
    static const std::map<OnnxType, DataType> types{
        {OnnxType::float32, DataType::float32}, {OnnxType::uint8, DataType::uint8},
        {OnnxType::boolean, DataType::uint8},   {OnnxType::int8, DataType::int8},
        {OnnxType::int32, DataType::int32},     {OnnxType::int64, DataType::int64}};
    Shape shape;
    for (const std::int64_t size : dims) shape.push_back(std::uint32_t(size));
    return tensor(types.at(type), shape, Numbers(values.begin(), values.end()));
  }

  compiler::OnnxModel model_;
  compiler::OnnxNode node_;
  TestTensors inputs_;
  compiler::Graph graph_;
};

inline void check_close(const Reals& found, const Reals& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-4));
  }
}

}  // namespace webnn::tests
