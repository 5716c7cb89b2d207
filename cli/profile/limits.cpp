#include "cli/profile/limits.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "api/runner/session.hpp"
#include "cli/inputs/generators.hpp"
#include "compiler/ir/parse.hpp"
#include "schema/error.hpp"

namespace webnn::cli {
namespace {

using namespace compiler;
using Clock = std::chrono::steady_clock;

/// A core that multiplies zeros takes less power and may go faster than it can with other numbers.
Bytes random_numbers(const OperandDescriptor& descriptor) { return generate("random", descriptor)->data; }

/// Nanoseconds of the fastest of several runs within a short time, at least three.
double fastest_run(const CompileOptions& options, Graph graph) {
  api::Session session(context_options(options));
  Diagnostics diagnostics;
  std::ostringstream log;
  if (!session.compile(std::move(graph), compiler_options(options, log), diagnostics))
    throw Error(ExitCode::internal, "the machine's limits cannot be measured: a graph does not compile");
  std::vector<Bytes> inputs;
  for (const Binding& input : session.inputs()) inputs.push_back(random_numbers(input.descriptor));
  std::vector<std::span<const std::byte>> views;
  for (const Bytes& input : inputs) views.push_back(input.view());
  session.write(views);
  constexpr auto limit = std::chrono::milliseconds(60);
  double fastest = 0;
  int runs = 0;
  for (const Clock::time_point start = Clock::now(); runs < 3 || Clock::now() - start < limit; ++runs) {
    const Clock::time_point before = Clock::now();
    session.compute();
    const double nanoseconds = double(std::chrono::nanoseconds(Clock::now() - before).count());
    fastest = runs == 0 ? nanoseconds : std::min(fastest, nanoseconds);
  }
  return fastest;
}

OperatorId operator_of(std::string_view name) { return *find_operator(name); }

/// y = op(x, z) with two inputs, or of x alone when z has no shape.
Graph small_graph(std::string_view op, const Shape& x, const Shape& z) {
  Graph graph;
  std::vector<ValueId> inputs{graph.add_input("x", {DataType::float32, x})};
  if (!z.empty()) {
    const OperandDescriptor weights{DataType::float32, z};
    graph.add_constant("z", weights, random_numbers(weights));
    inputs.push_back(graph.find_value("z"));
  }
  const std::string name = "y";
  const NodeId node = graph.add_node(operator_of(op), inputs, {}, std::span(&name, 1));
  graph.add_output("y", graph.node(node).outputs[0]);
  return graph;
}

/// A pointwise convolution of bytes, as quantised networks have it.
Graph graph_of_bytes() {
  constexpr std::string_view text = R"(graph "bytes" {
  %x = input uint8[1, 256, 28, 28]
  %w = constant int8[256, 256, 1, 1] {1...}
  %scale = constant float32[1, 1, 1, 1] {0.5...}
  %scales = constant float32[256, 1, 1, 1] {0.5...}
  %zero = constant uint8[1, 1, 1, 1] {0...}
  %zeros = constant int8[256, 1, 1, 1] {0...}
  %a = dequantizeLinear(%x, %scale, %zero)
  %b = dequantizeLinear(%w, %scales, %zeros)
  %c = conv2d(%a, %b)
  %y = quantizeLinear(%c, %scale, %zero)
  output "y" = %y
}
)";
  Diagnostics diagnostics;
  std::optional<Graph> graph = parse(text, {}, diagnostics);
  if (!graph) throw Error(ExitCode::internal, "the machine's limits cannot be measured: a graph is not valid");
  return std::move(*graph);
}

double flops_in(const Graph& graph) { return double(cost_of(graph.spec(graph.order()[0])).flops); }

}  // namespace

double Limits::bytes_per_second(std::uint64_t bytes) const {
  const double wanted = std::log(std::max(1.0, double(bytes)));
  const auto nearest = std::ranges::min_element(
      bandwidth, {}, [&](const auto& measured) { return std::abs(std::log(measured.first) - wanted); });
  return nearest == bandwidth.end() ? 0 : nearest->second;
}

double Limits::nanoseconds_of_memory(std::uint64_t bytes, std::uint64_t all) const {
  const double speed = bytes_per_second(all);
  return speed > 0 ? double(bytes) / speed * 1e9 : 0;
}

double Limits::nanoseconds_of_arithmetic(const Cost& cost, bool of_bytes) const {
  const double speed = of_bytes ? std::max(flops_per_second, byte_flops_per_second) : flops_per_second;
  return speed > 0 ? double(cost.flops) / speed * 1e9 : 0;
}

Limits measure_limits(CompileOptions options) {
  options.device = options.device.substr(0, options.device.find(':'));
  options.kernels.clear();
  options.dimensions.clear();
  Limits limits;
  // 1x1 windows, because 3x3 convolutions take fewer operations than are counted (Winograd).
  for (Graph graph :
       {small_graph("matmul", {512, 512}, {512, 512}), small_graph("conv2d", {1, 256, 28, 28}, {256, 256, 1, 1})}) {
    const double flops = flops_in(graph);
    limits.flops_per_second = std::max(limits.flops_per_second, flops / fastest_run(options, std::move(graph)) * 1e9);
  }
  constexpr double products_of_bytes = 28.0 * 28 * 256 * 256;
  limits.byte_flops_per_second = 2 * products_of_bytes / fastest_run(options, graph_of_bytes()) * 1e9;
  for (const std::uint32_t elements : {1u << 13, 1u << 17, 1u << 20, 1u << 23}) {
    const double bytes = 2.0 * elements * sizeof(float);
    limits.bandwidth.emplace_back(bytes, bytes / fastest_run(options, small_graph("relu", {elements}, {})) * 1e9);
  }
  return limits;
}

}  // namespace webnn::cli
