// ONNX operators with graphs in them: a WebNN graph has neither branches nor loops, so known turns are written out.
#include <algorithm>

#include "compiler/onnx/import/tensors/parts.hpp"

namespace webnn::compiler {
namespace {

using parts::most_turns;

void check_turn(const ImportCall& c, std::int64_t turn) {
  if (turn >= most_turns) c.refuse("it has more than " + std::to_string(most_turns) + " turns");
}

/// Inputs from `first` on, none of which may be absent.
std::vector<TensorId> inputs_from(const ImportCall& c, std::size_t first) {
  std::vector<TensorId> result;
  for (std::size_t i = first; i < c.input_count(); ++i) {
    if (!c.has(i)) c.refuse("its input " + std::to_string(i) + " is missing");
    result.push_back(c.optional(i));
  }
  return result;
}

/// One branch when the condition is known. Else both are computed, and the condition selects from their results.
void read_if(ImportCall& c) {
  const TensorId condition = c.input(0);
  if (c.count(condition) != 1) c.refuse("the condition has not a single element");
  if (c.is_known(condition)) {
    const bool holds = c.known_number(condition, "the condition").as_double() != 0;
    const std::vector<TensorId> results = c.import_branch(c.graph(holds ? "then_branch" : "else_branch"));
    if (results.size() < c.output_count()) c.refuse("a branch has too few results");
    for (std::size_t i = 0; i < c.output_count(); ++i) c.finish(i, results[i]);
    return;
  }
  const std::vector<TensorId> yes = c.import_branch(c.graph("then_branch"));
  const std::vector<TensorId> no = c.import_branch(c.graph("else_branch"));
  if (std::min(yes.size(), no.size()) < c.output_count()) c.refuse("a branch has too few results");
  for (std::size_t i = 0; i < c.output_count(); ++i) {
    if (!c.wants(i)) continue;
    if (c.at(yes[i]).sequence || c.type(yes[i]) != c.type(no[i]) || c.dims(yes[i]) != c.dims(no[i]))
      c.refuse("its branches have results of different shapes, and only running the graph tells which is taken",
               "where an input of the graph decides that, --constant-input NAME=SPEC makes it a constant");
    if (c.count(yes[i]) == 0)
      c.finish(i, yes[i]);
    else
      c.finish(i, c.make("where"_op, {c.reshape(condition, {}), yes[i], no[i]}));
  }
}

/// A scan's or loop's results of all turns. Without turns, only the graph's declaration tells their shape.
TensorId all_turns(ImportCall& c, const std::vector<TensorId>& turns, const OnnxValue& declared, std::int64_t axis) {
  if (!turns.empty()) return parts::stacked(c, turns, axis);
  OnnxIntegers dims = declared.dims;
  if (!declared.has_shape || std::ranges::any_of(dims, [](std::int64_t size) { return size < 0; }))
    c.refuse("it has no turns, so that nothing tells the shape of its results");
  dims.insert(dims.begin() + c.axis(axis, std::int64_t(dims.size()) + 1), 0);
  return parts::without_elements(c, declared.type, dims);
}

/// The number of turns, the condition, and the states; a condition that is not given is ignored.
void read_loop(ImportCall& c) {
  const OnnxGraph& body = c.graph("body");
  std::vector<TensorId> states = inputs_from(c, std::min<std::size_t>(2, c.input_count()));
  const std::size_t count = states.size();
  if (body.inputs.size() != 2 + count || body.outputs.size() < 1 + count)
    c.refuse("its graph has not the inputs and outputs of its states");
  const std::size_t scans = body.outputs.size() - 1 - count;
  if (c.output_count() > count + scans) c.refuse("it has more outputs than its graph");
  std::optional<std::int64_t> limit;
  if (c.has(0)) limit = c.known_number(c.input(0), "the number of turns").as_int64();
  const bool watches = c.has(1);
  TensorId condition = watches ? c.input(1) : c.scalar(OnnxType::boolean, 1);
  const auto goes_on = [&] {
    if (!watches) return true;
    if (!c.is_known(condition))
      c.refuse("its condition is known only when the graph runs, and WebNN has no loops",
               "where an input of the graph decides it, --constant-input NAME=SPEC makes it a constant");
    return c.known_number(condition, "the condition").as_double() != 0;
  };
  std::vector<std::vector<TensorId>> scanned(scans);
  for (std::int64_t turn = 0; (!limit || turn < *limit) && goes_on(); ++turn) {
    check_turn(c, turn);
    std::vector<TensorId> given{c.scalar(OnnxType::int64, turn), condition};
    given.insert(given.end(), states.begin(), states.end());
    const std::vector<TensorId> results = c.import_subgraph(body, given);
    condition = results[0];
    states.assign(results.begin() + 1, results.begin() + 1 + std::ptrdiff_t(count));
    for (std::size_t i = 0; i < scans; ++i) scanned[i].push_back(results[1 + count + i]);
  }
  for (std::size_t i = 0; i < count; ++i) c.finish(i, states[i]);
  for (std::size_t i = 0; i < scans; ++i)
    if (c.wants(count + i)) c.finish(count + i, all_turns(c, scanned[i], body.outputs[1 + count + i], 0));
}

/// Element `index` of a list of integers that may be shorter, or absent.
std::int64_t entry(const OnnxIntegers& list, std::size_t index) { return index < list.size() ? list[index] : 0; }

struct ScanAxes {
  OnnxIntegers inputs, input_directions, outputs, output_directions;
};

/// The final states, then the results of all turns.
std::vector<TensorId> scan_results(ImportCall& c, const OnnxGraph& body, std::vector<TensorId> states,
                                   std::span<const TensorId> inputs, const ScanAxes& axes) {
  const std::size_t count = states.size();
  std::vector<std::vector<TensorId>> steps;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::uint32_t axis = c.axis(entry(axes.inputs, i), c.rank(inputs[i]));
    if (!steps.empty() && c.dims(inputs[i])[axis] != std::int64_t(steps[0].size()))
      c.refuse("its inputs have different lengths");
    check_turn(c, c.dims(inputs[i])[axis] - 1);
    steps.push_back(parts::unstacked(c, inputs[i], axis));
    if (entry(axes.input_directions, i) != 0) std::ranges::reverse(steps.back());
  }
  if (body.inputs.size() != count + inputs.size() || body.outputs.size() < count)
    c.refuse("its graph has not the inputs and outputs of its states");
  std::vector<std::vector<TensorId>> scanned(body.outputs.size() - count);
  for (std::size_t turn = 0; turn < steps[0].size(); ++turn) {
    std::vector<TensorId> given = states;
    for (const auto& step : steps) given.push_back(step[turn]);
    const std::vector<TensorId> results = c.import_subgraph(body, given);
    states.assign(results.begin(), results.begin() + std::ptrdiff_t(count));
    for (std::size_t i = 0; i < scanned.size(); ++i) scanned[i].push_back(results[count + i]);
  }
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    if (entry(axes.output_directions, i) != 0) std::ranges::reverse(scanned[i]);
    states.push_back(all_turns(c, scanned[i], body.outputs[count + i], entry(axes.outputs, i)));
  }
  return states;
}

struct ScanOperands {
  std::vector<TensorId> states, inputs;
};

ScanOperands scan_operands(const ImportCall& c, std::size_t first) {
  const std::vector<TensorId> given = inputs_from(c, first);
  const std::int64_t count = c.integer("num_scan_inputs");
  if (count < 1 || count > std::int64_t(given.size())) c.refuse("it has not the scan inputs that it says");
  return {{given.begin(), given.end() - count}, {given.end() - count, given.end()}};
}

void finish_scan(ImportCall& c, const std::vector<TensorId>& results) {
  if (results.size() < c.output_count()) c.refuse("it has more outputs than its graph");
  for (std::size_t i = 0; i < c.output_count(); ++i) c.finish(i, results[i]);
}

void read_scan(ImportCall& c) {
  const auto [states, inputs] = scan_operands(c, 0);
  const ScanAxes axes{c.integers("scan_input_axes"), c.integers("scan_input_directions"),
                      c.integers("scan_output_axes"), c.integers("scan_output_directions")};
  finish_scan(c, scan_results(c, c.graph("body"), states, inputs, axes));
}

/// The first version: everything has batches in front, and lengths of the sequences may be given.
void read_scan_of_batches(ImportCall& c) {
  const auto [states, inputs] = scan_operands(c, 1);
  if (c.rank(inputs[0]) < 2) c.refuse("its inputs have no batches");
  const std::int64_t batches = c.dims(inputs[0])[0], length = c.dims(inputs[0])[1];
  if (std::int64_t turns = 0; __builtin_mul_overflow(batches, length, &turns) || turns > most_turns)
    check_turn(c, most_turns);
  if (c.has(0))
    for (const std::int64_t own : c.known_integers(c.input(0), "the lengths"))
      if (own != length) c.refuse("sequences of different lengths are not supported");
  ScanAxes axes;
  axes.input_directions = c.integers("directions");
  std::vector<std::vector<TensorId>> by_operand, by_result;
  for (const auto& list : {states, inputs})
    for (const TensorId operand : list) {
      if (c.rank(operand) < 1 || c.dims(operand)[0] != batches) c.refuse("its operands have different batches");
      by_operand.push_back(parts::unstacked(c, operand, 0));
    }
  for (std::size_t batch = 0; batch < std::size_t(batches); ++batch) {
    std::vector<TensorId> own;
    for (const auto& slices : by_operand) own.push_back(slices[batch]);
    const auto middle = own.begin() + std::ptrdiff_t(states.size());
    const std::vector<TensorId> results =
        scan_results(c, c.graph("body"), {own.begin(), middle}, std::vector<TensorId>(middle, own.end()), axes);
    by_result.resize(results.size());
    for (std::size_t i = 0; i < results.size(); ++i) by_result[i].push_back(results[i]);
  }
  std::vector<TensorId> results;
  for (const auto& slices : by_result) results.push_back(parts::stacked(c, slices, 0));
  finish_scan(c, results);
}

constexpr OnnxImportRow control_import_rows[] = {
    {.op_type = "If", .read = read_if},
    {.op_type = "Loop", .read = read_loop},
    {.op_type = "Scan", .read = read_scan_of_batches, .before = 9},
    {.op_type = "Scan", .read = read_scan, .since = 9},

    {.op_type = "ConcatFromSequence", .read = read_concat_from_sequence},
    {.op_type = "Optional", .read = read_optional},
    {.op_type = "OptionalGetElement", .read = read_optional_get_element},
    {.op_type = "OptionalHasElement", .read = read_optional_has_element},
    {.op_type = "SequenceAt", .read = read_sequence_at},
    {.op_type = "SequenceConstruct", .read = read_sequence_construct},
    {.op_type = "SequenceEmpty", .read = read_sequence_empty},
    {.op_type = "SequenceErase", .read = read_sequence_erase},
    {.op_type = "SequenceInsert", .read = read_sequence_insert},
    {.op_type = "SequenceLength", .read = read_sequence_length},
    {.op_type = "SequenceMap", .read = read_sequence_map},
    {.op_type = "SplitToSequence", .read = read_split_to_sequence},
};

}  // namespace

std::span<const OnnxImportRow> import_control_rows() { return control_import_rows; }

}  // namespace webnn::compiler
