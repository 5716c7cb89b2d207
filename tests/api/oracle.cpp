// The oracle: what it keeps and what it rounds, and that float32 runs and other runtimes agree with it.
#include "api/oracle/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>

#include "api/kernels.hpp"
#include "api/runner/session.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/frontend/npy.hpp"
#include "compiler/vectors/vector_reader.hpp"
#include "schema/elements/elements.hpp"
#include "schema/elements/float64.hpp"
#include "schema/error.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::oracle_test {
namespace {

namespace fs = std::filesystem;
using namespace webnn::schema;
using api::evaluate_in_float64;
using api::OracleTensor;
using Views = std::vector<std::span<const std::byte>>;

compiler::Graph load(const fs::path& file) {
  Diagnostics diagnostics;
  compiler::LoadOptions options;
  options.base_directory = file.parent_path();
  auto graph = compiler::load_graph(file, options, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) FAIL_CHECK(diagnostic.message);
  REQUIRE(graph);
  return std::move(*graph);
}

/// The outputs of a graph of one float32 input `x`.
std::vector<OracleTensor> run(const std::string& lines, const std::vector<float>& x) {
  return evaluate_in_float64(graph_of(lines), Views{std::as_bytes(std::span(x))});
}

/// A file beside the model: <model>.<kind>.<name>.npy.
compiler::Tensor tensor_of(const fs::path& folder, const std::string& kind, const std::string& name) {
  return compiler::read_npy(folder / (folder.filename().string() + "." + kind + "." + name + ".npy"));
}

double largest_difference(const OracleTensor& oracle, std::span<const std::byte> bytes) {
  double largest = 0;
  for (std::size_t i = 0; i < oracle.values.size(); ++i) {
    const double distance =
        std::fabs(load_element(oracle.descriptor.type, bytes.data(), i).as_double() - oracle.values[i]);
    largest = std::max(largest, std::isnan(distance) ? INFINITY : distance);
  }
  return largest;
}

}  // namespace

TEST_CASE("oracle: keeps what float32 and float16 would round away") {
  const auto sum =
      run("%x = input float32[2]\n%s = constant float32[] {1e-20}\n%y = add(%x, %s)\n%z = sub(%y, %x)\n"
          "output \"z\" = %z\n",
          {1e-8f, 0});
  CHECK(sum[0].values[0] == doctest::Approx(1e-20).epsilon(1e-3));
  CHECK(sum[0].values[1] == double(1e-20f));  // a constant has the digits of its own type
  CHECK(sum[0].descriptor == OperandDescriptor{DataType::float32, {2}});

  const auto cast =
      run("%x = input float32[1]\n%h = cast(%x) {dataType=float16}\n%y = cast(%h) {dataType=float32}\n"
          "output \"h\" = %h\noutput \"y\" = %y\n",
          {0.1f});
  CHECK(cast[0].descriptor.type == DataType::float16);
  CHECK(cast[0].values[0] == double(0.1f));
  CHECK(cast[1].values[0] == double(0.1f));
}

TEST_CASE("oracle: numbers of attributes are those of the graph's type") {
  CHECK(run("%x = input float32[1]\n%y = linear(%x) {alpha=0.1}\noutput \"y\" = %y\n", {3})[0].values[0] ==
        double(0.1f) * 3);
  CHECK(run("%x = input float32[1]\n%y = clamp(%x) {maxValue=0.1}\noutput \"y\" = %y\n", {3})[0].values[0] ==
        double(0.1f));
  CHECK(run("%x = input float32[1]\n%y = hardSigmoid(%x)\noutput \"y\" = %y\n", {1})[0].values[0] ==
        double(0.2f) + 0.5);
}

TEST_CASE("oracle: integers are integers, and casts to them truncate what float64 holds") {
  const auto cast =
      run("%x = input float32[2]\n%t = constant float32[] {10}\n%m = mul(%x, %t)\n"
          "%i = cast(%m) {dataType=int32}\n%j = add(%i, %i)\noutput \"j\" = %j\n",
          {0.3f, -0.7f});  // 0.3f is above 0.3, and -0.7f is less far from zero than -0.7
  CHECK(cast[0].values == std::vector<double>{6, -12});
  const auto quantized =
      run("%x = input float32[2]\n%s = constant float32[1] {0.1}\n%z = constant uint8[1] {3}\n"
          "%q = quantizeLinear(%x, %s, %z)\noutput \"q\" = %q\n",
          {0.25f, 100});  // 0.25 / 0.1f is below 2.5, a tie for float32
  CHECK(quantized[0].values == std::vector<double>{5, 255});
}

TEST_CASE("oracle: float64 has no name in files, and no row contains it") {
  CHECK(!parse_data_type("float64"));
  CHECK(!parse_data_type("f64"));
  CHECK(bits_of(float64) == 64);
  for (const KernelRow& kernel : api::kernel_table()) CHECK(!kernel.types.contains(float64));
  for (const Operator& op : operator_table())
    for (const OperandRow& operand : op.operands) CHECK(!operand.types.contains(float64));
}

TEST_CASE("oracle: says what it cannot evaluate") {
  const compiler::Graph graph = graph_of("%x = input float32[2]\n%y = relu(%x)\noutput \"y\" = %y\n");
  const std::vector<float> three(3);
  CHECK_THROWS_WITH_AS(evaluate_in_float64(graph, {}), "the graph has 1 inputs, but 0 are given", Error);
  CHECK_THROWS_WITH_AS(evaluate_in_float64(graph, Views{std::as_bytes(std::span(three))}),
                       "input 'x' is float32[2], 8 bytes, but 12 bytes are given", Error);
  const compiler::Graph unbound = graph_of("%x = input float32[n<=2]\n%y = relu(%x)\noutput \"y\" = %y\n");
  CHECK_THROWS_AS(evaluate_in_float64(unbound, Views{{}}), Error);
}

TEST_CASE("oracle: float results pass the conformance vectors once they are rounded") {
  WEBNN_REQUIRE_CORPUS(corpus);
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(corpus / "wpt" / "conformance")) {
    if (entry.path().extension() != ".json") continue;
    const std::string file = entry.path().filename().string();
    for (const auto& vector : compiler::read_conformance_vectors(read_file(entry.path()), file)) {
      Views inputs;
      for (const auto& input : vector.inputs) inputs.push_back(input.tensor.data.view());
      const auto outputs = evaluate_in_float64(vector.graph, inputs);
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        const OperandDescriptor& descriptor = outputs[i].descriptor;
        if (!is_float(descriptor.type)) continue;
        std::vector<std::byte> rounded(byte_length(descriptor));
        for (std::size_t j = 0; j < outputs[i].values.size(); ++j)
          store_element(outputs[i].values[j], descriptor.type, rounded.data(), j);
        const Comparison comparison =
            compare_tensors(descriptor, rounded, vector.expected[i].tensor.data.view(), vector.tolerance);
        CHECK_MESSAGE(comparison.passed(), file, ": ", vector.name, ": ", comparison.max_ulp, " ULP");
        ++count;
      }
    }
  }
  MESSAGE(count << " float outputs of conformance vectors");
  CHECK(count > 500);
}

TEST_CASE("oracle: the digits model in float32 is as near as float32 allows") {
  const fs::path folder = source_dir() / "models/digits";
  const compiler::Graph graph = load(folder / "digits.json");
  const compiler::Tensor image = tensor_of(folder, "input", "image");
  const auto oracle = evaluate_in_float64(graph, Views{image.data.view()});
  api::Session session({"cpu:reference", "native", 1});
  Diagnostics diagnostics;
  REQUIRE(session.compile(graph, {}, diagnostics));
  const double difference = largest_difference(oracle.at(0), session.run(Views{image.data.view()}).at(0));
  MESSAGE("digits: float32 differs by at most " << difference);
  CHECK(difference < 1e-6);
}

TEST_CASE("oracle: other runtimes' results for real models agree") {
  WEBNN_REQUIRE_CORPUS(corpus);
  for (const char* model : {"squeezenet1.1", "ultraface-320", "selfie-segmenter"}) {
    const fs::path folder = corpus / "models" / model;
    const compiler::Graph graph = load(folder / (std::string(model) + ".json"));
    std::vector<compiler::Tensor> tensors;
    for (const compiler::ValueId input : graph.inputs())
      tensors.push_back(tensor_of(folder, "input", graph.value(input).name));
    Views inputs;
    for (const compiler::Tensor& tensor : tensors) inputs.push_back(tensor.data.view());
    for (const OracleTensor& output : evaluate_in_float64(graph, inputs)) {
      const double difference = largest_difference(output, tensor_of(folder, "expected", output.name).data.view());
      MESSAGE(std::string(model) << ", " << output.name << ": the expected output differs by at most " << difference);
      CHECK(difference < 7e-5);
    }
  }
}

}  // namespace webnn::tests::oracle_test
