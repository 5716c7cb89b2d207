#include "tests/random_graphs/differences.hpp"

#include <algorithm>
#include <map>
#include <ostream>

#include "cli/compare/subgraph.hpp"
#include "compiler/frontend/text/text_writer.hpp"
#include "tests/harness/error_bound/error_bound.hpp"

namespace webnn::tests {

using namespace webnn::compiler;

namespace {

struct Outcome {
  std::vector<TestTensor> outputs;
  std::string thrown;
};

Outcome outcome_of(VariantRunner& runner, const Network& network) {
  try {
    return {runner.run(network), {}};
  } catch (const std::exception& error) {
    return {{}, error.what()};
  }
}

const std::string& name_of_runner(const VariantRunner* runner) { return runner->variant().name; }

/// By value of the graph what the reference kernels compute.
OptionalTensors reference_values(const Network& network) {
  std::vector<ValueId> results;
  for (const NodeId id : network.graph.order())
    for (const ValueId output : network.graph.node(id).outputs) results.push_back(output);
  const cli::Subgraph all = cli::part_of(network.graph, network.graph.order(), results);
  const TestTensors computed = evaluate_graph(all.graph, network.inputs);
  OptionalTensors values(network.graph.value_count());
  for (std::size_t i = 0; i < results.size(); ++i) values[results[i].index] = computed[i].second;
  for (const auto& [name, tensor] : network.inputs) values[network.graph.find_value(name).index] = tensor;
  return values;
}

/// The part of the network with these nodes and one output; operands from outside are inputs with what they hold.
Network part_with(const Network& network, std::span<const NodeId> nodes, ValueId output,
                  const OptionalTensors& values) {
  cli::Subgraph part = cli::part_of(network.graph, nodes, {&output, 1});
  Network smaller{std::move(part.graph), {}, network.specials};
  for (std::size_t i = 0; i < part.inputs.size(); ++i)
    smaller.inputs.emplace_back(smaller.graph.value(smaller.graph.inputs()[i]).name, *values[part.inputs[i].index]);
  return smaller;
}

/// Of `nodes`, those that `output` needs.
std::vector<NodeId> needed(const Graph& graph, const std::vector<NodeId>& nodes, ValueId output) {
  std::vector<bool> wanted(graph.value_count());
  wanted[output.index] = true;
  std::vector<NodeId> kept;
  for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
    const Node& node = graph.node(*id);
    if (std::ranges::none_of(node.outputs, [&](ValueId result) { return wanted[result.index]; })) continue;
    for (const ValueId input : node.inputs)
      if (input.valid()) wanted[input.index] = true;
    kept.insert(kept.begin(), *id);
  }
  return kept;
}

/// Small constants stand in the text, others are named only: the seed makes them again.
WeightsKeys keys_of(const Graph& graph) {
  constexpr std::size_t most_bytes = 128;
  WeightsKeys keys = weights_keys(graph, WeightsForm::by_reference);
  for (const ValueId id : constants_of(graph))
    if (graph.value(id).data.size() <= most_bytes) keys[id.index].clear();
  return keys;
}

std::string numbers_text(const TestTensor& tensor) {
  constexpr std::size_t most = 64;
  const Numbers elements = numbers(tensor);
  if (elements.size() > most) return "(" + std::to_string(elements.size()) + " numbers)";
  std::string text;
  for (const Number& element : elements) text += (text.empty() ? "[" : ", ") + element.text();
  return text + "]";
}

}  // namespace

std::optional<Difference> find_difference(const Network& network, std::span<VariantRunner* const> runners,
                                          Coverage* coverage) {
  const auto expected = bounded_outputs(network.graph, network.inputs);
  if (coverage)
    for (const auto& [name, tensor] : expected)
      for (const double bound : tensor.bounds) ++(bound == unknown ? coverage->unknown : coverage->elements);
  std::map<std::string, std::vector<TestTensor>> results;  // by variant
  for (VariantRunner* runner : runners) {
    const Variant& variant = runner->variant();
    Outcome outcome = outcome_of(*runner, network);
    if (!outcome.thrown.empty()) return Difference{network, variant.name, {}, outcome.thrown};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const BoundCheck check = check_within(expected[i].second, outcome.outputs[i].data);
      if (check.beyond != 0) return Difference{network, variant.name, expected[i].first, check.text};
      if (!variant.same_as.empty() && outcome.outputs[i] != results.at(variant.same_as)[i])
        return Difference{network, variant.name, expected[i].first, "other bits than " + variant.same_as};
    }
    results[variant.name] = std::move(outcome.outputs);
  }
  return std::nullopt;
}

Difference reduced(const Difference& difference, std::span<VariantRunner* const> all) {
  const Graph& graph = difference.network.graph;
  const OptionalTensors values = reference_values(difference.network);
  // The variant, and the one with whose bits it is compared.
  std::vector<VariantRunner*> runners = {*std::ranges::find(all, difference.variant, name_of_runner)};
  if (const std::string& other = runners[0]->variant().same_as; !other.empty())
    runners.insert(runners.begin(), *std::ranges::find(all, other, name_of_runner));
  Difference smallest = difference;
  const auto still_differs = [&](const std::vector<NodeId>& nodes, ValueId output) {
    auto found = find_difference(part_with(difference.network, nodes, output, values), runners);
    if (found) smallest = std::move(*found);
    return found.has_value();
  };
  for (const GraphOutput& output : graph.outputs()) {
    if (!difference.output.empty() && output.name != difference.output) continue;
    std::vector<NodeId> nodes = needed(graph, graph.order(), output.value);
    if (!still_differs(nodes, output.value)) continue;
    for (bool shrinks = true; shrinks;) {
      shrinks = false;
      for (std::size_t i = 0; i + 1 < nodes.size() && !shrinks; ++i) {
        std::vector<NodeId> fewer = nodes;
        fewer.erase(fewer.begin() + std::ptrdiff_t(i));
        fewer = needed(graph, fewer, output.value);
        shrinks = still_differs(fewer, output.value);
        if (shrinks) nodes = std::move(fewer);
      }
    }
    break;
  }
  return smallest;
}

std::string text_of(const Difference& difference) {
  std::string text = difference.variant + ": ";
  if (!difference.output.empty()) text += "output " + difference.output + ": ";
  text += difference.text + "\n";
  try {
    text += write_text_graph(difference.network.graph, keys_of(difference.network.graph), true).text;
  } catch (const std::exception& error) {
    text += std::string("(no text: ") + error.what() + ")\n";
  }
  for (const auto& [name, tensor] : difference.network.inputs)
    text += "  " + name + " = " + numbers_text(tensor) + "\n";
  return text;
}

RandomGraphsResult run_random_graphs(std::uint32_t first, std::size_t count, std::span<const Variant> variants,
                                     const NetworkOptions& options, std::ostream& out, std::size_t most_failures) {
  std::vector<std::unique_ptr<VariantRunner>> owned;
  std::vector<VariantRunner*> runners;
  for (const Variant& variant : variants) {
    owned.push_back(std::make_unique<VariantRunner>(variant));
    runners.push_back(owned.back().get());
  }
  RandomGraphsResult result;
  for (; result.graphs < count && result.failed < most_failures; ++result.graphs) {
    const auto seed = std::uint32_t(first + result.graphs);
    std::string text;
    try {
      const auto difference = find_difference(random_network(seed, options), runners, &result.coverage);
      if (!difference) continue;
      text = text_of(reduced(*difference, runners));
    } catch (const std::exception& error) {  // what makes, bounds or reduces graphs is at fault: the others still run
      text = std::string("threw: ") + error.what();
    }
    ++result.failed;
    out << "random graph of seed " << seed << ": " << text << std::endl;
  }
  return result;
}

}  // namespace webnn::tests
