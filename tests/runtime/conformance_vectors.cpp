// Every conformance vector, those of the corpus and our own, through the reference kernels.
#include <doctest/doctest.h>
#include <filesystem>
#include <vector>

#include "tests/harness/conformance.hpp"
#include "tests/harness/evaluate_graph.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::conformance_vectors_test {
namespace {

namespace fs = std::filesystem;

std::vector<std::vector<std::byte>> on_reference_kernels(const compiler::ConformanceVector& vector) {
  TestTensors inputs;
  for (const auto& [name, tensor] : vector.inputs)
    inputs.emplace_back(name, TestTensor{tensor.descriptor, {tensor.data.view().begin(), tensor.data.view().end()}});
  std::vector<std::vector<std::byte>> outputs;
  for (auto& [name, tensor] : evaluate_graph(vector.graph, inputs)) outputs.push_back(std::move(tensor.data));
  return outputs;
}

TEST_CASE("conformance: every vector of the Web Platform Tests passes on the reference kernels") {
  WEBNN_REQUIRE_CORPUS(corpus);
  check_vectors(vector_files(corpus / "wpt" / "conformance"), on_reference_kernels);
}

TEST_CASE("conformance: every operator has a file of cases in tests/operators") {
  for (const Operator& op : operator_table())
    if (!op.internal())
      CHECK_MESSAGE(fs::exists(source_dir() / "tests" / "operators" / (std::string(op.name) + ".json")), op.name);
}

TEST_CASE("conformance: every case of tests/operators passes on the reference kernels") {
  check_vectors(vector_files(source_dir() / "tests" / "operators"), on_reference_kernels);
}

}  // namespace
}  // namespace webnn::tests::conformance_vectors_test
