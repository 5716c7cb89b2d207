// The compiler and the loader: graphs through all passes, and programs whose fields are changed.
#include <algorithm>
#include <memory>
#include <random>

#include "api/kernels.hpp"
#include "api/oracle/evaluate.hpp"
#include "api/runner/compile_program.hpp"
#include "api/runner/session.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/entry.hpp"
#include "tests/fuzz/whole_targets.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/random_graphs/differences.hpp"

namespace webnn::tests {
namespace {

using fuzz::Choices;

constexpr std::uint64_t most_elements = 4096;  // of a value
constexpr std::size_t most_nodes = 24;         // of a graph that is read

bool is_small(const compiler::Graph& graph) {
  if (!graph.named_dimensions().empty() || graph.order().size() > most_nodes || graph.outputs().empty()) return false;
  for (std::uint32_t i = 0; i < graph.value_count(); ++i)
    if (element_count(graph.value(compiler::ValueId{i}).descriptor.shape) > most_elements) return false;
  return true;
}

/// Small numbers that each type has, so that sums stay exact or nearly so.
TestTensor numbers_for(const OperandDescriptor& descriptor, Choices& choices) {
  Numbers elements;
  for (std::uint64_t i = 0; i < element_count(descriptor.shape); ++i)
    elements.emplace_back(is_float(descriptor.type) ? Number(double(int(choices.below(33)) - 16) / 8)
                                                    : Number(std::int64_t(choices.below(4))));
  return tensor(descriptor.type, descriptor.shape, elements);
}

/// The graph that the content is; what is none is the choices of a network, so that no input is refused.
Network network_of(std::string_view content) {
  Diagnostics diagnostics;
  auto graph = fuzz::read(content, diagnostics);
  if (!graph || !is_small(*graph)) return network_of_bytes(content);
  Choices choices(content);
  Network network{std::move(*graph), {}, false};
  for (const compiler::ValueId input : network.graph.inputs()) {
    const compiler::Value& value = network.graph.value(input);
    network.inputs.emplace_back(value.name, numbers_for(value.descriptor, choices));
  }
  return network;
}

std::span<VariantRunner* const> all_runners() {
  static const std::vector<std::unique_ptr<VariantRunner>> owned = [] {
    std::vector<std::unique_ptr<VariantRunner>> runners;
    const Variant variants[] = {
        {.name = "-O0", .level = 0},
        {.name = "-O2"},
        {.name = "-O3, a program file, 2 threads",
         .threads = 2,
         .level = 3,
         .through_file = true,
         .passes_lines = true},
        {.name = "baseline", .isa = "baseline"},
    };
    for (const Variant& variant : variants) runners.push_back(std::make_unique<VariantRunner>(variant));
    return runners;
  }();
  static const std::vector<VariantRunner*> runners = [] {
    std::vector<VariantRunner*> all;
    for (const auto& runner : owned) all.push_back(runner.get());
    return all;
  }();
  return runners;
}

/// Convolutions and pooling whose results pass on line by line.
constexpr const char* network_of_lines = R"(graph "lines" {
  %x = input float32[1, 16, 17, 7]
  %w = constant float32[16, 1, 3, 3] {0.5...}
  %v = constant float32[24, 16, 1, 1] {0.25...}
  %u = constant float32[16, 24, 3, 3] {0.125...}
  %a = conv2d(%x, %v)
  %b = maxPool2d(%a) {windowDimensions=[3, 3], padding=[1, 1, 1, 1]}
  %c = conv2d(%b, %u) {strides=[2, 1]}
  %d = conv2d(%c, %w) {groups=16, padding=[1, 1, 1, 1]}
  %y = hardSwish(%d)
  output "y" = %y
})";

/// Parts of the lines with hardly more to compute than all of them have, so that threads compute them side by side.
constexpr const char* network_of_parts = R"(graph "parts" {
  %x = input float32[1, 8, 66, 5]
  %w = constant float32[12, 8, 1, 1] {0.25...}
  %v = constant float32[8, 12, 1, 1] {0.5...}
  %a = conv2d(%x, %w)
  %b = maxPool2d(%a) {windowDimensions=[3, 3], padding=[1, 1, 1, 1]}
  %y = conv2d(%b, %v)
  output "y" = %y
})";

/// Programs to change: of graphs with windows, products, recurrences, integers, views and lines.
const std::vector<Program>& base_programs() {
  static const std::vector<Program> programs = [] {
    std::vector<Program> made;
    const runtime::CpuDevice device;
    const auto add = [&](const compiler::Graph& graph) {
      compiler::Options options;
      options.least_bytes_of_lines = 1;
      Diagnostics diagnostics;
      if (auto program = api::compile_program(graph, options, device, {}, diagnostics))
        made.push_back(std::move(*program));
    };
    for (int i = 0; i < 4; ++i) add(parsed(i % 2 == 0 ? network_of_lines : network_of_parts));
    for (std::uint32_t seed = 1; made.size() < 24; ++seed) add(random_network(seed, {.small = true}).graph);
    return made;
  }();
  return programs;
}

std::uint64_t extreme_of(std::uint64_t old, Choices& choices) {
  switch (choices.below(6)) {
    case 0:
      return old + choices.below(5) - 2;
    case 1:
      return choices.below(64);
    case 2:
      return choices();
    case 3:
      return std::uint64_t{1} << choices.below(64);
    case 4:
      return ~std::uint64_t{0} - choices.below(3);
    default:
      return old + (std::uint64_t{64} << choices.below(12));
  }
}

template <typename Integer>
void change(Integer& number, Choices& choices) {
  number = Integer(extreme_of(number, choices));
}

template <typename List>
auto* one_of(List& list, Choices& choices) {
  return list.size() == 0 ? nullptr : &list[choices.below(std::uint32_t(list.size()))];
}

void change_attribute(AttributeValue& value, Choices& choices) {
  if (auto* integers = std::get_if<IntegerList>(&value)) {
    if (auto* item = one_of(*integers, choices)) *item = std::int64_t(extreme_of(std::uint64_t(*item), choices));
    if (choices.below(4) == 0) integers->push_back(1);
  } else if (auto* integer = std::get_if<std::int64_t>(&value)) {
    *integer = std::int64_t(extreme_of(std::uint64_t(*integer), choices));
  } else if (auto* flag = std::get_if<bool>(&value)) {
    *flag = !*flag;
  } else if (auto* real = std::get_if<double>(&value)) {
    const double reals[] = {0, -1, 1e30, -1e-30, 5e-324};
    *real = reals[choices.below(std::size(reals))];
  }
}

KernelId any_kernel(Choices& choices) {
  auto kernel = api::kernel_table().begin();
  for (std::uint32_t steps = choices.below(std::uint32_t(api::kernel_table().size())); steps > 0; --steps) ++kernel;
  return {&*kernel};
}

void change_value(ProgramValue& value, std::size_t values, Choices& choices) {
  switch (choices.below(7)) {
    case 0:
      value.slot.kind = Slot::Kind(choices.below(6));
      break;
    case 1:
      change(value.slot.index, choices);
      break;
    case 2:
      change(value.slot.offset, choices);
      break;
    case 3:
      change(value.slot.bytes, choices);
      break;
    case 4:
      value.view_of = choices.below(3) ? choices.below(std::uint32_t(values)) : no_index;
      break;
    case 5:
      value.layout = Layout(choices.below(3));
      break;
    default:
      if (Shape& shape = value.descriptor.shape; shape.rank() != 0 && choices.below(2))
        shape[choices.below(std::uint32_t(shape.rank()))] = std::uint32_t(extreme_of(1, choices));
      else
        value.descriptor.type = DataType(choices.below(std::uint32_t(data_type_count)));
  }
}

void change_step(Step& step, std::size_t values, Choices& choices) {
  switch (choices.below(6)) {
    case 0:
      step.kernel = any_kernel(choices);
      break;
    case 1:
      step.op = OperatorId{std::uint16_t(choices.below(std::uint32_t(all_operators().size())))};
      step.attributes = Attributes(row(step.op).attributes.size());
      break;
    case 2:
      if (auto* attribute = one_of(step.attributes, choices); attribute && *attribute)
        change_attribute(**attribute, choices);
      break;
    case 3:
      if (auto* input = one_of(step.inputs, choices))
        *input = choices.below(4) ? choices.below(std::uint32_t(values)) : no_index;
      break;
    case 4:
      if (auto* output = one_of(step.outputs, choices)) *output = choices.below(std::uint32_t(values));
      break;
    default:
      if (auto* post_op = one_of(step.post_ops, choices))
        post_op->op = OperatorId{std::uint16_t(choices.below(std::uint32_t(all_operators().size())))};
  }
}

void change_program(Program& program, Choices& choices) {
  const std::size_t values = program.values.size();
  switch (choices.below(6)) {
    case 0:
      if (auto* value = one_of(program.values, choices)) change_value(*value, values, choices);
      break;
    case 1:
      if (auto* step = one_of(program.steps, choices)) change_step(*step, values, choices);
      break;
    case 2:
      if (auto* input = one_of(program.inputs, choices)) input->value = choices.below(std::uint32_t(values));
      break;
    case 3:
      if (auto* output = one_of(program.outputs, choices)) output->value = choices.below(std::uint32_t(values));
      break;
    case 4:
      change(program.arena_bytes, choices);
      break;
    default:
      if (program.steps.size() > 1)
        std::swap(program.steps[0], program.steps[choices.below(std::uint32_t(program.steps.size()))]);
  }
}

}  // namespace

/// Compiles for a GPU that has everything; whether there is one does not matter, as nothing runs.
void compile_for_gpu(const compiler::Graph& graph) {
  compiler::Options options = options_of_tests();
  options.evaluate = api::reference_evaluate();
  options.target = {DeviceKind::vulkan,
                    Feature::cpu_fallback | Feature::memory_8bit | Feature::float16 | Feature::matrix_units |
                        Feature::shared_memory | Feature::long_loops,
                    60};
  Diagnostics diagnostics;
  compiler::compile(graph, options, diagnostics);
}

std::string fuzz_compile(std::string_view content) {
  const Network network = network_of(content);
  if (network.graph.outputs().empty()) return {};
  compile_for_gpu(network.graph);
  const auto difference = find_difference(network, all_runners());
  return difference ? text_of(*difference) : "";
}

std::string fuzz_program_run(std::string_view content) {
  static const std::vector<std::unique_ptr<api::Session>> sessions = [] {
    std::vector<std::unique_ptr<api::Session>> by_threads;
    for (const unsigned threads : {1u, 2u, 3u})
      by_threads.push_back(
          std::make_unique<api::Session>(ContextOptions{.device = "cpu", .threads = threads, .maxMemory = 4 << 20}));
    return by_threads;
  }();
  Choices choices(content);
  const auto& bases = base_programs();
  Program program = bases[choices.below(std::uint32_t(bases.size()))];
  for (unsigned changes = 1 + choices.below(3); changes > 0; --changes) change_program(program, choices);
  program.verified = false;
  if (!verify_program(program).empty()) return {};
  api::Session& session = *sessions[choices.below(std::uint32_t(sessions.size()))];
  try {
    session.load(std::move(program));
    std::vector<std::vector<std::byte>> inputs;
    for (const Binding& input : session.inputs())
      inputs.emplace_back(byte_length(input.descriptor), std::byte(choices.byte()));
    session.run(std::vector<std::span<const std::byte>>(inputs.begin(), inputs.end()));
  } catch (const Error& error) {
    if (error.code() == ExitCode::internal) return error.what();
  }
  return {};
}

}  // namespace webnn::tests
