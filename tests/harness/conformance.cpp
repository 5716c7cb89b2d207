#include "tests/harness/conformance.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>

#include "schema/elements/elements.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests {

namespace fs = std::filesystem;
using namespace webnn::schema;

namespace {

std::string difference_of(const compiler::ConformanceVector& vector, const EvaluateVector& evaluate) {
  if (!vector.errors.empty()) return vector.errors.front();
  const std::vector<std::vector<std::byte>> outputs = evaluate(vector);
  if (outputs.size() != vector.expected.size()) return "there are " + std::to_string(outputs.size()) + " outputs";
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [name, expected] = vector.expected[i];
    const DataType type = expected.descriptor.type;
    if (outputs[i].size() != expected.data.size()) return name + " has " + std::to_string(outputs[i].size()) + " bytes";
    const Comparison comparison =
        compare_tensors(expected.descriptor, outputs[i], expected.data.view(), vector.tolerance);
    if (comparison.passed()) continue;
    const std::size_t at = comparison.first_mismatch.value_or(0);
    return name + ": " + std::to_string(comparison.mismatches) + " of " + std::to_string(comparison.count) +
           " elements differ, the first at " + std::to_string(at) + ": " +
           load_element(type, outputs[i].data(), at).text() + ", expected " +
           load_element(type, expected.data.data(), at).text() + "; at most " + std::to_string(comparison.max_ulp) +
           " ULP, " + std::to_string(comparison.max_absolute) + " absolute";
  }
  return {};
}

}  // namespace

std::string failure_of(const compiler::ConformanceVector& vector, const EvaluateVector& evaluate) {
  try {
    return difference_of(vector, evaluate);
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::vector<compiler::ConformanceVector> read_all_vectors(const std::vector<fs::path>& files) {
  std::vector<compiler::ConformanceVector> all;
  for (const fs::path& file : files)
    for (compiler::ConformanceVector& vector :
         compiler::read_conformance_vectors(read_file(file), file.filename().string()))
      all.push_back(std::move(vector));
  return all;
}

std::vector<fs::path> vector_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void check_vectors(const std::vector<fs::path>& files, const EvaluateVector& evaluate) {
  REQUIRE(!files.empty());
  std::size_t count = 0, passed = 0;
  for (const fs::path& file : files)
    for (const auto& vector : compiler::read_conformance_vectors(read_file(file), file.filename().string())) {
      ++count;
      const std::string failure = failure_of(vector, evaluate);
      CHECK_MESSAGE(failure.empty(), file.filename().string(), ": ", vector.name, ": ", failure);
      passed += failure.empty();
    }
  CHECK(count > 0);
  MESSAGE(passed << " of " << count << " conformance vectors passed");
}

std::vector<std::vector<std::byte>> through_session(api::Session& session, const compiler::ConformanceVector& vector,
                                                    const compiler::Options& options) {
  using Data = std::vector<std::vector<std::byte>>;
  Diagnostics diagnostics;
  if (!session.compile(vector.graph, options, diagnostics)) throw std::runtime_error(diagnostics.all().front().message);
  Data inputs;
  for (const Binding& binding : session.inputs()) {
    const auto found = std::ranges::find(vector.inputs, binding.name, &compiler::NamedTensor::name);
    if (found == vector.inputs.end()) throw std::runtime_error("no data for input " + binding.name);
    const auto data = found->tensor.data.view();
    inputs.emplace_back(data.begin(), data.end());
  }
  const Data before = inputs;
  const Data outputs = session.run(std::vector<std::span<const std::byte>>(inputs.begin(), inputs.end()));
  if (inputs != before) throw std::runtime_error("an input was changed");
  return outputs;
}

}  // namespace webnn::tests
