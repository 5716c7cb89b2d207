// Graphs written as ONNX and read back compute the same.
#include <doctest/doctest.h>
#include <map>
#include <string>

#include "schema/error.hpp"
#include "tests/harness/conformance.hpp"
#include "tests/harness/evaluate_graph.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/through_onnx.hpp"

namespace webnn::tests::round_trip_test {
namespace {

using schema::Error;

/// Each vector's graph, where it can be written; the others are counted.
class RoundTrip {
 public:
  std::vector<std::vector<std::byte>> operator()(const compiler::ConformanceVector& vector) {
    compiler::Graph graph = vector.graph;
    try {
      graph = through_onnx(graph);
      ++written_;
    } catch (const Error& error) {
      ++not_written_[error.what()];
    }
    TestTensors inputs;
    for (const compiler::NamedTensor& input : vector.inputs)
      inputs.emplace_back(input.name, TestTensor{input.tensor.descriptor,
                                                 {input.tensor.data.view().begin(), input.tensor.data.view().end()}});
    std::vector<std::vector<std::byte>> results;
    for (auto& [name, tensor] : evaluate_graph(graph, inputs)) results.push_back(std::move(tensor.data));
    return results;
  }

  std::size_t written() const { return written_; }
  std::size_t not_written() const {
    std::size_t count = 0;
    for (const auto& [why, times] : not_written_) count += times;
    return count;
  }

 private:
  std::size_t written_ = 0;
  std::map<std::string, std::size_t> not_written_;
};

}  // namespace

TEST_CASE("onnx round trip: every case of tests/operators that can be written as ONNX computes the same") {
  RoundTrip trip;
  check_vectors(vector_files(source_dir() / "tests" / "operators"), std::ref(trip));
  MESSAGE(trip.written() << " written and read, " << trip.not_written() << " have no form in ONNX");
  CHECK(trip.written() > 5 * trip.not_written());
}

TEST_CASE("onnx round trip: every vector of the Web Platform Tests that can be written as ONNX computes the same") {
  WEBNN_REQUIRE_CORPUS(corpus);
  RoundTrip trip;
  check_vectors(vector_files(corpus / "wpt" / "conformance"), std::ref(trip));
  MESSAGE(trip.written() << " written and read, " << trip.not_written() << " have no form in ONNX");
  CHECK(trip.written() > 5 * trip.not_written());
}

}  // namespace webnn::tests::round_trip_test
