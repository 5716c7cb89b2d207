#include "compiler/passes/parts/constant_folder.hpp"

#include "schema/elements/aligned_bytes.hpp"
#include "schema/error.hpp"

namespace webnn::compiler {
namespace {

/// Results up to this size are always folded, even if they are much larger than their operands.
constexpr std::uint64_t always_worth_bytes = 4096;

}  // namespace

ConstantFolder::ConstantFolder(Unit& unit, std::uint64_t growth) : unit_(unit), graph_(unit.graph) {
  // Bounds the total size of a chain of foldings, so that a small file cannot demand any amount of memory.
  budget_ = unit.options.fold_limit_bytes;
  for (std::uint32_t i = 0; i < graph_.value_count(); ++i)
    budget_ += growth * std::uint64_t{graph_.value({i}).data.size()};
}

void ConstantFolder::run() {
  for (const NodeId id : graph_.order()) fold(id);
}

void ConstantFolder::fold(NodeId id, std::uint64_t growth) {
  const Node& node = graph_.node(id);
  std::uint64_t input_bytes = 0;
  for (ValueId input : node.inputs) {
    if (!input.valid()) continue;
    if (!graph_.is_constant(input)) return;
    input_bytes += graph_.value(input).data.size();
  }
  if (row(node.op).family == Family::view && node.post_ops.empty()) {
    replace(id, {graph_.value(node.inputs[0]).data});
    return;
  }
  std::uint64_t output_bytes = 0;
  for (ValueId output : node.outputs) output_bytes += byte_length(graph_.value(output).descriptor);
  if (output_bytes > unit_.options.fold_limit_bytes || output_bytes > growth * input_bytes + always_worth_bytes ||
      output_bytes > budget_)
    return;
  count_work(id);
  if (std::vector<Bytes> results = evaluate(id); !results.empty()) {
    budget_ -= output_bytes;
    replace(id, std::move(results));
  }
}

/// Before anything is computed.
void ConstantFolder::count_work(NodeId id) {
  const std::uint64_t limit = unit_.options.max_work;
  Cost& work = unit_.folded_work;
  work += cost_of(graph_.spec(id));
  if (work.exceeds(limit))
    throw Error(ExitCode::resource,
                "computing constants ahead takes " + std::to_string(work.flops) + " operations and moves " +
                    std::to_string(work.bytes) + " bytes, together the limit is " + std::to_string(limit),
                "raise the limit");
}

/// The node's results; empty when no kernel computes it.
std::vector<Bytes> ConstantFolder::evaluate(NodeId id) const {
  const Node& node = graph_.node(id);
  std::vector<std::span<const std::byte>> inputs;
  for (ValueId input : node.inputs)
    inputs.push_back(input.valid() ? graph_.value(input).data.view() : std::span<const std::byte>());
  std::vector<AlignedBytes> results;
  std::vector<std::span<std::byte>> outputs;
  for (ValueId output : node.outputs)
    outputs.push_back(
        results.emplace_back(AlignedBytes::unwritten(byte_length(graph_.value(output).descriptor))).view());
  if (!unit_.options.evaluate || !unit_.options.evaluate(graph_.spec(id), inputs, outputs)) return {};
  std::vector<Bytes> bytes;
  for (AlignedBytes& result : results) bytes.push_back(std::move(result).take());
  if (unit_.options.release)
    for (ValueId input : node.inputs)
      if (input.valid()) unit_.options.release(graph_.value(input).data);
  return bytes;
}

/// Replaces the node by constants with the same names.
void ConstantFolder::replace(NodeId id, std::vector<Bytes> results) {
  const std::vector<ValueId> outputs = graph_.node(id).outputs;
  std::vector<std::pair<ValueId, std::string>> names;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string name = graph_.value(outputs[i]).name;
    const ValueId constant = graph_.add_constant(name, graph_.value(outputs[i]).descriptor, std::move(results[i]));
    graph_.replace_uses(outputs[i], constant);
    names.emplace_back(constant, name);
  }
  graph_.erase(id);
  for (const auto& [constant, name] : names) graph_.rename(constant, name);
}

}  // namespace webnn::compiler
