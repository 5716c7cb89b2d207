// Every conformance vector, those of the corpus and our own, through the reference kernels.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <vector>

#include "compiler/frontend/vector_reader.hpp"
#include "schema/elements.hpp"
#include "tests/harness/evaluate_graph.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests {
namespace {

namespace fs = std::filesystem;

Tensor copy_of(const compiler::Tensor& tensor) {
  return {tensor.descriptor, {tensor.data.view().begin(), tensor.data.view().end()}};
}

/// Empty when the vector passes, else what is wrong.
std::string failure_of(const compiler::ConformanceVector& vector) {
  if (!vector.errors.empty()) return vector.errors.front();
  NamedTensors inputs;
  for (const auto& [name, tensor] : vector.inputs) inputs.emplace_back(name, copy_of(tensor));
  const NamedTensors outputs = evaluate_graph(vector.graph, inputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& actual = outputs[i].second;
    const Bytes& expected = vector.expected[i].tensor.data;
    const Comparison comparison = compare_tensors(actual.descriptor, actual.data, expected.view(), vector.tolerance);
    if (comparison.passed()) continue;
    const std::size_t at = *comparison.first_mismatch;
    const auto element = [&](const std::byte* data) { return load_element(actual.descriptor.type, data, at).text(); };
    return outputs[i].first + ": " + std::to_string(comparison.mismatches) + " of " + std::to_string(comparison.count) +
           " elements differ, the first at " + std::to_string(at) + ": " + element(actual.data.data()) + ", expected " +
           element(expected.data()) + "; at most " + std::to_string(comparison.max_ulp) + " ULP, " +
           std::to_string(comparison.max_absolute) + " absolute";
  }
  return {};
}

std::vector<fs::path> json_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void check_vectors(const std::vector<fs::path>& files) {
  REQUIRE(!files.empty());
  std::size_t count = 0, passed = 0;
  for (const fs::path& file : files) {
    for (const auto& vector : compiler::read_conformance_vectors(read_file(file), file.filename().string())) {
      ++count;
      std::string failure;
      try {
        failure = failure_of(vector);
      } catch (const std::exception& error) {
        failure = error.what();
      }
      CHECK_MESSAGE(failure.empty(), file.filename().string(), ": ", vector.name, ": ", failure);
      if (failure.empty()) ++passed;
    }
  }
  MESSAGE(passed << " of " << count << " conformance vectors passed");
}

TEST_CASE("conformance: every vector of the Web Platform Tests passes on the reference kernels") {
  WEBNN_REQUIRE_CORPUS(corpus);
  check_vectors(json_files(corpus / "wpt" / "conformance"));
}

TEST_CASE("conformance: every operator has a file of cases in tests/operators") {
  for (const Operator& op : operator_table())
    if (!op.internal())
      CHECK_MESSAGE(fs::exists(source_dir() / "tests" / "operators" / (std::string(op.name) + ".json")), op.name);
}

TEST_CASE("conformance: every case of tests/operators passes on the reference kernels") {
  check_vectors(json_files(source_dir() / "tests" / "operators"));
}

}  // namespace
}  // namespace webnn::tests
