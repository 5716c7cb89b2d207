#include "bindings/tools/tools.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>

#include "api/devices.hpp"
#include "api/kernels.hpp"
#include "api/runner/compile_program.hpp"
#include "api/runner/read_program.hpp"
#include "api/runner/session.hpp"
#include "runtime/threads/parallel.hpp"
#include "runtime/threads/processors.hpp"
#include "schema/elements/elements.hpp"
#include "schema/elements/memory_account.hpp"
#include "schema/file/output_file.hpp"
#include "schema/file/program_file.hpp"
#include "schema/kernels/kernel_table.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::bindings {
namespace {

using schema::Error;
using schema::Program;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Reads the graph of a model; without given sizes its dimensions have none. Throws Error for one that is wrong, and for a
/// program.
compiler::Graph graph_of(api::Model& model, std::vector<std::string>& warnings) {
  if (model.is_program()) throw Error(schema::ExitCode::usage, "'" + model.name() + "' is a program, not a graph");
  schema::Diagnostics diagnostics;
  model.read(diagnostics);
  warnings = warnings_of(diagnostics, model);
  return model.take_graph();
}

/// The same for a graph that will be compiled: every dimension has a size.
compiler::Graph sized_graph_of(api::Model& model, std::vector<std::string>& warnings) {
  compiler::Graph graph = graph_of(model, warnings);
  api::bind_dimensions(graph, {});
  return graph;
}

Inspected inspect_program(const api::Model& model) {
  schema::Diagnostics diagnostics;
  const auto program =
      schema::read_program(model.source().content, model.name(), api::kernel_table(), nullptr, diagnostics);
  Inspected result{.warnings = warnings_of(diagnostics, model)};
  for (const schema::Binding& input : program->inputs) result.inputs.push_back({input.name, input.descriptor});
  for (const schema::Binding& output : program->outputs) result.outputs.push_back({output.name, output.descriptor});
  for (const schema::Step& step : program->steps) ++result.operators[std::string(row(step.op).name)];
  result.constants = program->constants.size();
  for (const schema::Bytes& constant : program->constants) result.constant_bytes += constant.size();
  return result;
}

double median(std::vector<double> numbers) {
  std::ranges::nth_element(numbers, numbers.begin() + std::ptrdiff_t(numbers.size() / 2));
  return numbers[numbers.size() / 2];
}

/// Numbers between 0 and 1 for each input; 0 and 1 where it has integers, which may be places in something.
std::vector<std::vector<std::byte>> some_inputs(std::span<const schema::Binding> bindings) {
  std::vector<std::vector<std::byte>> inputs;
  std::uint32_t state = 1;
  for (const schema::Binding& binding : bindings) {
    std::vector<std::byte>& bytes = inputs.emplace_back(schema::byte_length(binding.descriptor));
    for (std::size_t i = 0; i < schema::element_count(binding.descriptor.shape); ++i) {
      state = state * 1664525 + 1013904223;
      const double number = double(state >> 8) / double(1 << 24);
      store_element(schema::is_float(binding.descriptor.type) ? number : double(number > 0.5), binding.descriptor.type,
                    bytes.data(), i);
    }
  }
  return inputs;
}

void prepare(api::Session& session, const Order& order, const ContextOptions& options) {
  const schema::AccountScope account(options.maxMemory);
  api::Model model = open_model(order);
  model.limit_work(options.maxWork);
  schema::Diagnostics diagnostics;
  if (model.is_program()) {
    std::optional<Program> program =
        api::read_program_for(session.context().device(), model.source().content, order.file, diagnostics);
    warnings_of(diagnostics, model);
    return session.load(std::move(*program));
  }
  std::vector<std::string> warnings;
  session.compile(sized_graph_of(model, warnings), {}, diagnostics);
  warnings_of(diagnostics, model);
}

void write_some_inputs(api::Session& session) {
  const std::vector<std::vector<std::byte>> inputs = some_inputs(session.inputs());
  const std::vector<std::span<const std::byte>> views(inputs.begin(), inputs.end());
  session.write(views);
}

}  // namespace

Compiled compile_file(const Order& order, const ContextOptions& options, const std::string& output) {
  Compiled result;
  const schema::AccountScope account(options.maxMemory);
  compiler::Options compiling;
  compiling.max_work = options.maxWork;
  const auto device = api::open_device(options);
  const runtime::Team team(runtime::threads_for(options.threads));
  api::Model model = open_model(order);
  model.limit_work(options.maxWork);
  compiler::Graph graph = sized_graph_of(model, result.warnings);
  schema::Diagnostics diagnostics;
  const std::optional<Program> program =
      api::compile_program(std::move(graph), std::move(compiling), *device, {}, diagnostics);
  std::ranges::copy(warnings_of(diagnostics, model), std::back_inserter(result.warnings));
  schema::OutputFile file(output);
  schema::write_program(*program, [&](std::span<const std::byte> piece) {
    file.append({reinterpret_cast<const char*>(piece.data()), piece.size()});
    result.bytes += piece.size();
  });
  file.commit();
  result.steps = program->steps.size();
  return result;
}

Inspected inspect_file(const Order& order) {
  api::Model model = open_model(order);
  if (model.is_program()) return inspect_program(model);
  Inspected result;
  const compiler::Graph graph = graph_of(model, result.warnings);
  for (const compiler::ValueId input : graph.inputs()) {
    Described described{graph.value(input).name, graph.value(input).descriptor};
    for (const compiler::NamedDimension& dimension : graph.named_dimensions())
      if (dimension.input == input) described.names[dimension.axis] = dimension.name;
    result.inputs.push_back(std::move(described));
  }
  for (const compiler::GraphOutput& output : graph.outputs())
    result.outputs.push_back({output.name, graph.value(output.value).descriptor});
  for (const compiler::NodeId node : graph.order()) ++result.operators[std::string(row(graph.node(node).op).name)];
  for (std::uint32_t i = 0; i < graph.value_count(); ++i) {
    if (!graph.is_constant({i})) continue;
    ++result.constants;
    result.constant_bytes += schema::byte_length(graph.value({i}).descriptor);
  }
  return result;
}

Profiled profile_file(const Order& order, const ContextOptions& options, std::uint32_t runs) {
  api::Session session(options);
  prepare(session, order, options);
  write_some_inputs(session);
  session.compute();
  const std::vector<schema::Step>& steps = session.program().steps;
  std::vector<std::vector<double>> times(steps.size());
  std::vector<double> whole;
  std::vector<runtime::StepTime> measured(steps.size());
  for (std::uint32_t run = 0; run < std::max(runs, 1u); ++run) {
    const auto begin = Clock::now();
    session.compute();
    whole.push_back(milliseconds_since(begin));
    session.compute_timed(measured);
    for (std::size_t i = 0; i < steps.size(); ++i)
      times[i].push_back(double(measured[i].end - measured[i].begin) / 1e6);
  }
  Profiled result{median(whole), {}};
  for (std::size_t i = 0; i < steps.size(); ++i)
    result.steps.push_back({std::string(row(steps[i].op).name), std::string(schema::row(steps[i].kernel).name),
                            steps[i].label, median(times[i])});
  return result;
}

std::vector<double> bench_file(const Order& order, const ContextOptions& options, std::uint32_t runs,
                               std::uint32_t warmup) {
  api::Session session(options);
  prepare(session, order, options);
  write_some_inputs(session);
  for (std::uint32_t run = 0; run < warmup; ++run) session.compute();
  std::vector<double> times;
  for (std::uint32_t run = 0; run < runs; ++run) {
    const auto begin = Clock::now();
    session.compute();
    times.push_back(milliseconds_since(begin));
  }
  return times;
}

}  // namespace webnn::bindings
