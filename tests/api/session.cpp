// Sessions: graphs through compiler and runtime together.
#include "api/runner/session.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <random>

#include "api/devices.hpp"
#include "compiler/ir/parse.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "schema/elements/elements.hpp"
#include "tests/harness/conformance.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/random/random_graph.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::session_test {
namespace {

using namespace webnn::schema;
using api::Session;
using Data = std::vector<std::vector<std::byte>>;

Data run(Session& session, const Data& inputs) {
  const std::vector<std::span<const std::byte>> views(inputs.begin(), inputs.end());
  return session.run(views);
}

/// Whole numbers from 0 to 7 of each input's type: never NaN, exact in most sums.
Data small_inputs(const Session& session, unsigned seed) {
  std::mt19937 random(seed);
  Data inputs;
  for (const Binding& binding : session.inputs()) {
    std::vector<std::byte> data(byte_length(binding.descriptor));
    for (std::size_t i = 0; i < element_count(binding.descriptor.shape); ++i)
      store_element(Number(int(random() % 8)), binding.descriptor.type, data.data(), i);
    inputs.push_back(std::move(data));
  }
  return inputs;
}

}  // namespace

TEST_CASE("session: compiles a graph once and runs it often") {
  Diagnostics diagnostics;
  auto graph = compiler::parse(R"(graph "affine" {
  %x = input float32[2]
  %two = constant float32[] {2}
  %double = mul(%x, %two)
  %y = relu(%double)
  output "y" = %y
}
)",
                               {}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) FAIL_CHECK(diagnostic.message);
  REQUIRE(graph);
  Session session({});
  REQUIRE(session.compile(std::move(*graph), {}, diagnostics));
  for (int i = 0; i < 3; ++i) {
    const float x[] = {float(i), float(-i)};
    const std::span<const std::byte> input[] = {std::as_bytes(std::span(x))};
    const Data outputs = session.run(input);
    REQUIRE(outputs.size() == 1);
    CHECK(load_element(DataType::float32, outputs[0].data(), 0) == Number(2.0 * i));
    CHECK(load_element(DataType::float32, outputs[0].data(), 1) == Number(0.0));
  }
}

namespace {

/// On the reference kernels, and on the kernels that each instruction set prefers. (oneDNN keeps the instruction set of
/// the process's first device; our own kernels follow each.)
void check_everywhere(const std::filesystem::path& folder) {
  const auto through = [](std::string device, std::string isa) {
    return [device = std::move(device), isa = std::move(isa)](const compiler::ConformanceVector& vector) {
      Session session({device, isa, 2});
      return through_session(session, vector);
    };
  };
  check_vectors(vector_files(folder), through("cpu:reference", "native"));
  for (const std::string_view isa :
       {std::string_view("native"), runtime::isa_names()[1], std::string_view("baseline")}) {
    CAPTURE(isa);
    check_vectors(vector_files(folder), through("cpu", std::string(isa)));
  }
}

/// On a GPU, one session for all: it keeps its compiled shaders.
void check_on_gpu(const std::filesystem::path& folder) {
  if (!open_test_gpu()) return;
  Session session({.device = "gpu", .gpuValidation = true});
  check_vectors(vector_files(folder),
                [&](const compiler::ConformanceVector& vector) { return through_session(session, vector); });
}

}  // namespace

TEST_CASE("session: another program takes the place of the one before, and a run can be made in parts") {
  Session session({.threads = 1});
  for (const std::string op : {"neg", "abs"}) {
    Diagnostics diagnostics;
    auto graph = compiler::parse(
        "graph \"g\" {\n  %x = input float32[2]\n  %y = " + op + "(%x)\n  output \"y\" = %y\n}\n", {}, diagnostics);
    REQUIRE(graph);
    REQUIRE(session.compile(std::move(*graph), {}, diagnostics));
    const float x[] = {1, -2};
    const std::span<const std::byte> views[] = {std::as_bytes(std::span(x))};
    session.write(views);
    session.compute();
    std::vector<runtime::StepTime> times(session.program().steps.size());
    session.compute_timed(times);
    CHECK(times.at(0).end >= times.at(0).begin);
    const Data outputs = session.read();
    CHECK(load_element(DataType::float32, outputs.at(0).data(), 1).as_double() == 2);
    CHECK(load_element(DataType::float32, outputs.at(0).data(), 0).as_double() == (op == "neg" ? -1 : 1));
  }
}

TEST_CASE("session: every vector of the Web Platform Tests passes on a GPU") {
  WEBNN_REQUIRE_CORPUS(corpus);
  check_on_gpu(corpus / "wpt" / "conformance");
}

TEST_CASE("session: every case of tests/operators passes on a GPU") {
  if (under_sanitizer) return skip("a sanitizer makes thousands of graphs take too long");
  check_on_gpu(source_dir() / "tests" / "operators");
}

TEST_CASE("session: every vector of the Web Platform Tests passes through compiler and runtime") {
  WEBNN_REQUIRE_CORPUS(corpus);
  check_everywhere(corpus / "wpt" / "conformance");
}

TEST_CASE("session: every case of tests/operators passes through compiler and runtime") {
  check_everywhere(source_dir() / "tests" / "operators");
}

TEST_CASE("session: any number of threads gives the same bits") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const compiler::Graph graph = random_graph(seed);
    CAPTURE(seed);
    Session serial({"cpu", "native", 1}), parallel({"cpu", "native", 3});
    Diagnostics diagnostics;
    REQUIRE(serial.compile(graph, {}, diagnostics));
    REQUIRE(parallel.compile(graph, {}, diagnostics));
    const Data inputs = small_inputs(serial, seed);
    CHECK(run(serial, inputs) == run(parallel, inputs));
  }
}

TEST_CASE("session: two products of few rows read one square matrix, and its transpose") {
  std::string shift = "0x";  // row i has its 1 in column i + 1
  for (int i = 0; i < 32 * 32; ++i) shift += i % 33 == 1 ? "0000803f" : "00000000";
  const compiler::Graph graph = graph_of("%x = input float32[1, 32]\n%i = constant float32[32, 32] " + shift + R"(
  %a = matmul(%x, %i)
  %b = gemm(%x, %i) {bTranspose=true}
  %y = sub(%a, %b)
  output "y" = %y
)");
  Session session({});
  Diagnostics diagnostics;
  REQUIRE(session.compile(graph, {}, diagnostics));
  std::vector<float> x(32);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = float(i * i);
  const std::span<const std::byte> input[] = {std::as_bytes(std::span(x))};
  const Data outputs = session.run(input);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float before = i == 0 ? 0 : x[i - 1], after = i + 1 == x.size() ? 0 : x[i + 1];
    CHECK(load_element(DataType::float32, outputs[0].data(), i) == Number(double(before - after)));
  }
}

TEST_CASE("session: device names") {
  CHECK(api::parse_device_name("cpu").kind == "cpu");
  CHECK(api::parse_device_name("cpu:reference").provider == "reference");
  CHECK_THROWS_AS(api::parse_device_name("cpu:nobody"), Error);
  CHECK_THROWS_AS(api::parse_device_name("abacus"), Error);
  CHECK_THROWS_AS(api::open_device({.isa = "sse9"}), Error);
}

}  // namespace webnn::tests::session_test
