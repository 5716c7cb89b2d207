// Model files without a context of JavaScript's: compiling them to programs, what is in them, how long their steps take.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <optional>

#include "api/devices.hpp"
#include "api/kernels.hpp"
#include "api/runner/compile_program.hpp"
#include "api/runner/read_program.hpp"
#include "api/runner/session.hpp"
#include "bindings/node/native/functions.hpp"
#include "bindings/node/native/order.hpp"
#include "bindings/node/native/work.hpp"
#include "runtime/threads/parallel.hpp"
#include "runtime/threads/processors.hpp"
#include "schema/elements/elements.hpp"
#include "schema/elements/types.hpp"
#include "schema/file/output_file.hpp"
#include "schema/file/program_file.hpp"
#include "schema/kernels/kernel_table.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::node {
namespace {

using schema::Error;
using schema::Program;

ContextOptions context_options_of(const Call& call, std::size_t first) {
  ContextOptions options;
  options.device = text(call.env, call[first]);
  options.threads = word(call.env, call[first + 1]);
  return options;
}

/// Reads the graph of a model; dimensions may have no size yet. Throws Error for one that is wrong, and for a program.
void read_graph(api::Model& model, std::vector<std::string>& warnings) {
  if (model.is_program()) throw Error(schema::ExitCode::usage, "'" + model.name() + "' is a program, not a graph");
  schema::Diagnostics diagnostics;
  model.read(diagnostics);
  warnings = warnings_of(diagnostics, model);
}

compiler::Graph graph_of(api::Model& model, const Order& order, std::vector<std::string>& warnings) {
  read_graph(model, warnings);
  return model.take_graph_with(order.dimensions);
}

/// An input or output. Dimensions without a size have names.
struct Described {
  std::string name;
  schema::OperandDescriptor descriptor;
  std::map<std::size_t, std::string> names{};  // by axis
};
napi_value make_described(napi_env env, const std::vector<Described>& list) {
  std::vector<napi_value> values;
  for (const Described& one : list) {
    std::vector<napi_value> sizes;
    for (std::size_t axis = 0; axis < one.descriptor.shape.rank(); ++axis) {
      const auto name = one.names.find(axis);
      sizes.push_back(name != one.names.end() ? make_text(env, name->second)
                                              : make_number(env, double(one.descriptor.shape[axis])));
    }
    values.push_back(ObjectMaker(env)
                         .set("name", make_text(env, one.name))
                         .set("dataType", make_text(env, name_of(one.descriptor.type)))
                         .set("shape", make_array(env, sizes))
                         .value());
  }
  return make_array(env, values);
}

// ---- compile

struct Compiled {
  std::uint64_t bytes = 0, steps = 0;
  std::vector<std::string> warnings;
};

Compiled compile_file(const Order& order, const ContextOptions& options, const std::string& output) {
  Compiled result;
  const auto device = api::open_device(options);
  const runtime::Team team(runtime::threads_for(options.threads));
  api::Model model = open_model(order);
  compiler::Graph graph = graph_of(model, order, result.warnings);
  schema::Diagnostics diagnostics;
  const std::optional<Program> program = api::compile_program(std::move(graph), {}, *device, {}, diagnostics);
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

/// compile(file, weightsFile, names, sizes, device, threads, output): a promise of {bytes, steps, warnings}.
napi_value compile(const Call& call) {
  const Order order = order_of(call, 0);
  const ContextOptions options = context_options_of(call, 4);
  const std::string output = text(call.env, call[6]);
  auto compiled = std::make_shared<Compiled>();
  return start_work(
      call.env, "webnn compile", [=] { *compiled = compile_file(order, options, output); },
      [=](napi_env env) {
        return ObjectMaker(env)
            .set("bytes", make_number(env, double(compiled->bytes)))
            .set("steps", make_number(env, double(compiled->steps)))
            .set("warnings", make_texts(env, compiled->warnings))
            .value();
      });
}

// ---- inspect

struct Inspected {
  std::vector<Described> inputs{}, outputs{};
  std::map<std::string, std::uint64_t> operators{};  // of a program those of its steps
  std::uint64_t constants = 0, constant_bytes = 0;
  std::vector<std::string> warnings{};
};

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

Inspected inspect_file(const Order& order) {
  api::Model model = open_model(order);
  if (model.is_program()) return inspect_program(model);
  Inspected result;
  read_graph(model, result.warnings);
  const compiler::Graph graph = order.dimensions.empty() ? model.take_graph() : model.take_graph_with(order.dimensions);
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

/// inspect(file, weightsFile, names, sizes): a promise of {inputs, outputs, operators, constants, warnings}.
napi_value inspect(const Call& call) {
  const Order order = order_of(call, 0);
  auto inspected = std::make_shared<Inspected>();
  return start_work(
      call.env, "webnn inspect", [=] { *inspected = inspect_file(order); },
      [=](napi_env env) {
        ObjectMaker operators(env);
        for (const auto& [name, count] : inspected->operators)
          operators.set(name.c_str(), make_number(env, double(count)));
        const napi_value constants = ObjectMaker(env)
                                         .set("count", make_number(env, double(inspected->constants)))
                                         .set("bytes", make_number(env, double(inspected->constant_bytes)))
                                         .value();
        return ObjectMaker(env)
            .set("inputs", make_described(env, inspected->inputs))
            .set("outputs", make_described(env, inspected->outputs))
            .set("operators", operators.value())
            .set("constants", constants)
            .set("warnings", make_texts(env, inspected->warnings))
            .value();
      });
}

// ---- profile

struct Profiled {
  struct Step {
    std::string op, kernel, label;
    double milliseconds = 0;
  };
  double milliseconds = 0;  // of a whole run
  std::vector<Step> steps;
};

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

void prepare(api::Session& session, const Order& order) {
  api::Model model = open_model(order);
  schema::Diagnostics diagnostics;
  if (model.is_program()) {
    std::optional<Program> program =
        api::read_program_for(session.context().device(), model.source().content, order.file, diagnostics);
    warnings_of(diagnostics, model);
    return session.load(std::move(*program));
  }
  std::vector<std::string> warnings;
  session.compile(graph_of(model, order, warnings), {}, diagnostics);
  warnings_of(diagnostics, model);
}

Profiled profile_file(const Order& order, const ContextOptions& options, std::uint32_t runs) {
  using Clock = std::chrono::steady_clock;
  api::Session session(options);
  prepare(session, order);
  const std::vector<std::vector<std::byte>> inputs = some_inputs(session.inputs());
  const std::vector<std::span<const std::byte>> views(inputs.begin(), inputs.end());
  session.write(views);
  session.compute();
  const std::vector<schema::Step>& steps = session.program().steps;
  std::vector<std::vector<double>> times(steps.size());
  std::vector<double> whole;
  std::vector<runtime::StepTime> measured(steps.size());
  for (std::uint32_t run = 0; run < std::max(runs, 1u); ++run) {
    const auto begin = Clock::now();
    session.compute();
    whole.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
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

/// profile(file, weightsFile, names, sizes, device, threads, runs): a promise of {milliseconds, steps}.
napi_value profile(const Call& call) {
  const Order order = order_of(call, 0);
  const ContextOptions options = context_options_of(call, 4);
  const std::uint32_t runs = word(call.env, call[6]);
  auto profiled = std::make_shared<Profiled>();
  return start_work(
      call.env, "webnn profile", [=] { *profiled = profile_file(order, options, runs); },
      [=](napi_env env) {
        std::vector<napi_value> steps;
        for (const Profiled::Step& step : profiled->steps)
          steps.push_back(ObjectMaker(env)
                              .set("operator", make_text(env, step.op))
                              .set("kernel", make_text(env, step.kernel))
                              .set("label", make_text(env, step.label))
                              .set("milliseconds", make_number(env, step.milliseconds))
                              .value());
        return ObjectMaker(env)
            .set("milliseconds", make_number(env, profiled->milliseconds))
            .set("steps", make_array(env, steps))
            .value();
      });
}

constexpr NamedFunction tools_list[] = {
    {"compile", guarded<compile>},
    {"inspect", guarded<inspect>},
    {"profile", guarded<profile>},
};

}  // namespace

std::span<const NamedFunction> tools_functions() { return tools_list; }

}  // namespace webnn::node
